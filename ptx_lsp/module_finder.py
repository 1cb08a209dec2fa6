"""Finds the compiled modules of this package in less time than Python does.

Python lists folders, and asks several times for the type, size and time of each file: for the 80 modules of a short
check, that takes a tenth of its time. This finder asks for the source of a module once, and takes the compiled code
that Python has left for it if it was compiled from this source by Python's own rule, which is that the compiled file
begins with the time and size of the source. In every other case it finds nothing, and Python finds the module.

Before a module that imports many others, it loads these itself, one after the other, in the order in which their
imports end: `import` takes locks and makes several objects for each of them.
`python -m tests.loading_order` writes the order.
"""

import sys

TYPE_CHECKING = False  # type checkers take this name for true; `light_classes` is found faster after this module

if TYPE_CHECKING:
    from typing import Any

_PACKAGE = __name__.partition(".")[0] + "."
_MOST = 1 << 16  # bytes of a compiled module, and of the order: Python finds a longer one
ORDER = "loading_order.txt"
"""The file with the modules that are imported by some others: in each row such a one, a colon, and its modules."""


def find_modules_faster() -> None:
    """Let this process find the modules of the package so; without the modules of CPython for it, change nothing."""
    if any(getattr(each, "__module__", "") == __name__ for each in sys.meta_path):
        return  # it does already
    try:
        # `importlib` has the same names, but its import takes a millisecond
        import marshal
        import os
        from _frozen_importlib import ModuleSpec
        from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader, cache_from_source
        from os import sep, stat
    except ImportError:
        return

    modules = sys.modules
    before_time = MAGIC_NUMBER + bytes(4)  # no flag is set: the time and size of the source follow
    binary = os.O_RDONLY | getattr(os, "O_BINARY", 0)  # Windows has other files too
    new_module, nothing = type(sys), (lambda: None).__code__  # most `__init__.py` are empty
    around_names: dict[str, tuple[str, str]] = {}  # the path of a compiled file before and after its name, by folder

    class Loader(SourceFileLoader):
        """Python's loader, which has the code of its module already."""

        found: "Any" = None
        compiled = ""

        def create_module(self, spec: "Any") -> "Any":
            """The empty module with its attributes: Python would ask for each one first, and make an error for it."""
            made: Any = new_module(spec.name)
            made.__loader__, made.__package__ = self, spec.parent
            made.__file__, made.__cached__ = self.path, self.compiled
            return made

        def get_code(self, fullname: str) -> "Any":
            found, self.found = self.found, None  # Python may load a module again: then its source may have changed
            return super().get_code(fullname) if found is None else found

    def compiled_path(folder: str, last: str) -> str:
        if folder not in around_names:
            before, _, after = cache_from_source(f"{folder}{sep}NAME.py").rpartition("NAME")
            around_names[folder] = before, after
        return last.join(around_names[folder])

    def content(path: str) -> bytes:
        file = os.open(path, binary)  # a file object would ask for its type, size and position too
        try:
            return os.read(file, _MOST)
        finally:
            os.close(file)

    def compiled_code(compiled: str, status: os.stat_result) -> "Any":
        """The code in a compiled file; None if it was compiled from a source with another status."""
        data = content(compiled)
        time, size = int(status.st_mtime) & 0xFFFF_FFFF, status.st_size & 0xFFFF_FFFF
        if data[:16] != before_time + time.to_bytes(4, "little") + size.to_bytes(4, "little"):
            return None
        return marshal.loads(memoryview(data)[16:])

    def specification(name: str, folder: str, last: str, places: "list[str] | None") -> "Any":
        source = f"{folder}{sep}{last}.py"
        status, compiled = stat(source), compiled_path(folder, last)
        code = compiled_code(compiled, status) if status.st_size else nothing
        if code is None:
            return None
        loader = Loader(name, source)
        loader.found, loader.compiled = code, compiled
        found = ModuleSpec(name, loader, origin=source)
        found.submodule_search_locations, found.has_location, found.cached = places, True, compiled
        return found

    def found_in(folder: str, name: str) -> "Any":
        last = name.rpartition(".")[2]
        inner = folder + sep + last
        module, room = (folder, last, None), (inner, "__init__", [inner])
        for place in (room, module) if name.count(".") == 1 else (module, room):  # what it probably is
            try:
                return specification(name, *place)
            except (OSError, ValueError, EOFError, TypeError):  # also for a part of a longer one
                pass
        return None

    def read_order() -> "dict[str, str]":
        try:
            rows = content(f"{os.path.dirname(__file__)}{sep}{ORDER}").decode().split("\n")
        except (OSError, ValueError):
            return {}
        return dict(row.split(": ", 1) for row in rows if ": " in row)

    def load(name: str) -> None:
        """Load a module as `import` does, if its package is loaded; nothing if Python has to find it."""
        package, last = modules.get(name.rpartition(".")[0]), name.rpartition(".")[2]
        spec = package and found_in(package.__path__[0], name)
        if not spec:
            return
        module = modules[name] = spec.loader.create_module(spec)
        module.__spec__ = spec
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        spec._initializing = True  # each import of the module asks for it: without it, that takes ten times as long
        try:
            exec(spec.loader.get_code(name), module.__dict__)
        except BaseException:
            modules.pop(name, None)
            raise
        finally:
            spec._initializing = False
        setattr(package, last, module)

    order = read_order()

    class Finder:
        """Has the method of a finder in `sys.meta_path`."""

        @staticmethod
        def find_spec(name: str, path: "Any" = None, target: "Any" = None) -> "Any":
            """The specification of a module of this package; None if Python is to find it."""
            if not name.startswith(_PACKAGE) or not path or target is not None:
                return None
            for each in order.pop(name.removeprefix(_PACKAGE), "").split():
                if _PACKAGE + each not in modules:
                    load(_PACKAGE + each)
            return found_in(path[0], name)

    sys.meta_path.insert(0, Finder)
