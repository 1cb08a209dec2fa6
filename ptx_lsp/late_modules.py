"""Modules that are imported when something of them is first used, as most short texts need nothing of them.

An `import` in a function takes a microsecond each time, as long as to recognise some lines. With these it takes a
twentieth of that:

    if TYPE_CHECKING:
        from ptx_lsp.quick import text_shapes
    else:
        text_shapes = late_module("ptx_lsp.quick.text_shapes")
"""

from ptx_lsp.light_classes import Any


class _LateModule:
    """Has the attributes of a module, which is imported at the first request for one."""

    __slots__ = ("__dict__", "_name")

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        # called only for an attribute that the object does not have
        module = __import__(self._name, fromlist=[attribute])
        self.__dict__ = module.__dict__
        return getattr(module, attribute)


def late_module(name: str) -> Any:
    """What is used like the module with this full name. What is assigned to a name of the module is found too."""
    return _LateModule(name)
