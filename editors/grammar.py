"""The TextMate grammar of PTX: its patterns, around keyword lists that come from the instruction set's rows."""

import re
from dataclasses import dataclass

JsonObject = dict[str, object]

NAME = r"[A-Za-z_$%][\w$]*"
BEFORE_WORD = r"(?<![\w$%.])"
AFTER_WORD = r"(?![\w$])"
AFTER_DOTTED = r"(?![\w$]|::)"
AFTER_PART_OF_OPCODE = r"(?<=\w)"
MODIFIER = "support.constant.modifier.ptx"


@dataclass(frozen=True, slots=True)
class Keywords:
    """The words of PTX by what they are: `opcodes` up to their first dot, registers with `%`, all others with dots."""

    opcodes: frozenset[str]
    types: frozenset[str]
    spaces: frozenset[str]
    directives: frozenset[str]
    modifiers: frozenset[str]
    registers: frozenset[str]


def alternatives(words: frozenset[str]) -> str:
    """The words as one pattern, longer ones first, after the dot or `%` with which all of them begin."""
    first = {word[0] for word in words}
    shared = first.pop() if first in ({"."}, {"%"}) else ""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.escape(shared) + "(?:" + "|".join(re.escape(word[len(shared) :]) for word in ordered) + ")"


def grammar(keywords: Keywords) -> JsonObject:
    """The whole grammar. Each word is only in the first list that has it: types, spaces, directives, modifiers."""
    spaces = keywords.spaces - keywords.types
    directives = keywords.directives - keywords.types - spaces
    modifiers = keywords.modifiers - keywords.types - spaces - directives
    repository: JsonObject = {
        "comments": {"patterns": _comments()},
        "strings": {"patterns": [_string()]},
        "lines": {"patterns": [_match("meta.preprocessor.ptx", r"^\s*#.*$")]},
        "labels": {"patterns": [_label(), _branch()]},
        "functions": {"patterns": _functions()},
        "guards": {"patterns": [_guard()]},
        "numbers": {"patterns": _numbers()},
        "instructions": {
            "patterns": [
                _match("keyword.mnemonic.ptx", BEFORE_WORD + alternatives(keywords.opcodes) + r"(?=[\s.;]|$)"),
            ]
        },
        "words": {
            "patterns": [
                _dotted("support.type.ptx", keywords.types),
                _match(MODIFIER, AFTER_PART_OF_OPCODE + alternatives(spaces | modifiers) + AFTER_DOTTED),
                _dotted("keyword.other.directive.ptx", spaces | directives),
                _dotted(MODIFIER, modifiers),
            ]
        },
        "registers": {"patterns": _registers(keywords.registers)},
        "constants": {"patterns": [_match("constant.language.ptx", BEFORE_WORD + "WARP_SZ" + AFTER_WORD)]},
        "operators": {
            "patterns": [_match("keyword.operator.ptx", r"<<|>>|&&|\|\||[<>=!]=|[-+*/%&|^~!?<>=](?![\w$]*\()")]
        },
    }
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "PTX",
        "scopeName": "source.ptx",
        "patterns": [{"include": f"#{part}"} for part in repository],
        "repository": repository,
    }


def _match(name: str, pattern: str) -> JsonObject:
    return {"name": name, "match": pattern}


def _dotted(name: str, words: frozenset[str]) -> JsonObject:
    return _match(name, alternatives(words) + AFTER_DOTTED)


def _comments() -> list[JsonObject]:
    return [
        _match("comment.line.double-slash.ptx", r"//.*$"),
        {"name": "comment.block.ptx", "begin": r"/\*", "end": r"\*/"},
    ]


def _string() -> JsonObject:
    return {"name": "string.quoted.double.ptx", "begin": '"', "end": r'"|$'}


def _label() -> JsonObject:
    return {
        "match": rf"^\s*({NAME})\s*(:)(?!:)",
        "captures": {"1": {"name": "entity.name.label.ptx"}, "2": {"name": "punctuation.separator.ptx"}},
    }


def _branch() -> JsonObject:
    return {
        "match": rf"{BEFORE_WORD}(bra)((?:\.uni)?)\s+({NAME})",
        "captures": {
            "1": {"name": "keyword.mnemonic.ptx"},
            "2": {"name": MODIFIER},
            "3": {"name": "entity.name.label.ptx"},
        },
    }


def _functions() -> list[JsonObject]:
    """The name in a header: after `.entry` or `.func`, or after the results of a function."""
    named = {"1": {"name": "keyword.other.directive.ptx"}, "2": {"name": "entity.name.function.ptx"}}
    return [
        {"match": rf"(\.entry|\.func)\s+({NAME})", "captures": named},
        {"match": rf"(?<=\))\s*({NAME})(?=\s*\()", "captures": {"1": named["2"]}},
    ]


def _guard() -> JsonObject:
    return {
        "match": rf"(@)\s*(!?)\s*({NAME})",
        "captures": {
            "1": {"name": "keyword.operator.guard.ptx"},
            "2": {"name": "keyword.operator.ptx"},
            "3": {"name": "variable.other.register.predicate.ptx"},
        },
    }


def _numbers() -> list[JsonObject]:
    rows = [
        ("constant.numeric.float.hex.ptx", r"0(?:[fF][0-9a-fA-F]{8}|[dD][0-9a-fA-F]{16})"),
        ("constant.numeric.float.ptx", r"\d+(?:\.\d*(?:[eE][-+]?\d+)?|[eE][-+]?\d+)"),
        ("constant.numeric.hex.ptx", r"0[xX][0-9a-fA-F]+U?"),
        ("constant.numeric.binary.ptx", r"0[bB][01]+U?"),
        ("constant.numeric.integer.ptx", r"\d+U?"),
    ]
    return [_match(name, BEFORE_WORD + pattern + AFTER_WORD) for name, pattern in rows]


def _registers(special: frozenset[str]) -> list[JsonObject]:
    return [
        _match("variable.language.register.ptx", alternatives(special) + r"(?:\.[xyzw])?" + AFTER_WORD),
        _match("variable.other.register.ptx", r"%[A-Za-z_$\d][\w$]*"),
    ]
