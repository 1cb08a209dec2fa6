"""The settings of the features."""

from ptx_lsp.config.settings import Settings
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.features.choices import Choices


def choices(settings: Settings) -> Choices:
    """The settings that hover, inlay hints and evaluation depend on."""
    return Choices(authority=Authority(settings.authority), hints=settings.hints)
