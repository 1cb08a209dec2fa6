"""The settings as the features take them."""

from ptx_lsp.config.settings import Settings
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.features.choices import Choices


def choices(settings: Settings) -> Choices:
    """What of the settings matters to hover, hints and evaluation."""
    return Choices(authority=Authority(settings.authority), hints=settings.hints)
