"""One meaning per class name and per module name: a name that rooms share is in a list here, with the reason."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.package_sources import PACKAGE, in_package, parsed, sources

# Class names that several modules share. A new one needs another name, unless both classes mean the same.
SHARED_CLASSES = {
    "Bound": "the limits of an operand's values in a row, and those of an operand of inline assembly",
    "Declared": "a declared name of a block, and one that the scan of a chunk finds",
    "Embedded": "a statement of a host language with its PTX, and the settings for such statements",
    "Form": "a form of an instruction: its row, and its text for signature help",
    "Format": "an output format of the command line, and a way to fill in a literal of Python",
    "Kind": "the kinds of what one module has: constructs, highlights, the tokens of a host language",
    "Known": "what is remembered for a profile, and what is known of a statement of a host language by its text",
    "Literal": "a literal of a constant expression, and one of a host language",
    "Mark": "a place that moves with its block, and one that the scan of a chunk finds",
    "Name": "a name in a parsed statement, and one that the scan of a chunk reads",
    "Role": "what is done with an operand: of an instruction, and of a statement of inline assembly",
    "State": "the state between two statements of a block, and in a text of a host language",
    "Style": "how the command line prints findings, and how a line is formatted",
    "Target": "the target of a module, and the symbol whose occurrences are searched",
    "Token": "a token of one host language; each scanner has its own",
    "Tokens": "the tokens of one host language; each scanner has its own",
    "Word": "a word of a PTX statement, and one of a text of a host language",
}

# Module names that several rooms share, with their subject. `server/requests/X.py` serves the feature `features/X.py`.
SHARED_MODULES = {
    "calls": "calls of functions: how they are parsed, and checked",
    "completion": "completion: the feature, the same in inline PTX, and the completion of shells",
    "declarations": "declarations: how they are recognised, parsed, checked, and inserted by a fix",
    "definition": "definition: the feature, and the same in inline PTX",
    "directives": "directives: their rows, how they are parsed, and checked",
    "document_highlight": "highlights: the feature, and the same in inline PTX",
    "evaluate": "the evaluation of a constant expression: the feature, and the command",
    "folding_range": "folding: the feature, and the same for templates of inline PTX",
    "headers": "headers of functions: how they are recognised, and parsed",
    "hover": "hover: the feature, and the same in inline PTX",
    "immediates": "constant operands: their meaning in a hover, and their fixes",
    "initialisers": "initial values: how they are parsed, and checked",
    "inlay_hints": "inlay hints: the feature, and the same in inline PTX",
    "instructions": "instructions: their rows, how they are recognised, and checked",
    "modifiers": "modifiers: their meaning in a hover, and their fixes",
    "operands": "operands: how they are parsed, read for a check, and fixed",
    "places": "places in a text: of inline PTX in its host, and of findings in output formats",
    "references": "references: the feature, and the same in inline PTX",
    "rename": "renaming: the feature, and the same in inline PTX",
    "search": "searches: for the occurrences of a symbol, and for the configuration file of a file",
    "signature_help": "signature help: the feature, and the same in inline PTX",
    "statements": "statements: how they are recognised, and parsed",
    "targets": "targets: their rows, and those that inline PTX may be written for",
    "values": "values as operands: how they are parsed, and compared with a slot",
    "vectors": "vectors as operands: their kind, and their fixes",
}


def modules() -> list[Path]:
    """Every module of the package."""
    return [path for path in sources() if path.stem not in ("__init__", "__main__")]


def shared(places: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The names with more than one place."""
    return {name: found for name, found in places.items() if len(found) > 1}


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(in_package(path))
    assert shared(places).keys() == SHARED_CLASSES.keys()


def test_a_module_name_has_one_meaning() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        if path.parent.name != "requests":
            places[path.stem].add(path.parent.relative_to(PACKAGE).as_posix())
    assert shared(places).keys() == SHARED_MODULES.keys()
