"""The inline-assembly statements of a text in C, C++, CUDA C++ or OpenCL C.

One regular expression finds comments, quotes, directives and the letters `asm`; only what follows `asm` is made into
tokens. `ScanMode.inside` is "/*" in a comment, "//" in a line comment whose line ends with a backslash, a quote in a
literal whose line ends with one, `R` and a delimiter in a raw string that is too long to be read as a whole. A raw
string may hold a program for NVRTC: it is scanned as well.
"""

import re

from ptx_lsp.hosts.c_statement import is_cut_or_of_another_language, read_statement
from ptx_lsp.hosts.c_tokens import ASM_WORDS, BLOCK_COMMENT, END, REST_OF_LINE, statement_tokens
from ptx_lsp.hosts.escapes import C_RAW
from ptx_lsp.hosts.nested import inner_text, relocated
from ptx_lsp.hosts.placeholders import has_placeholders
from ptx_lsp.hosts.statement import (
    CODE,
    LONGEST,
    LONGEST_STRING,
    AsmStatement,
    Host,
    Piece,
    PieceKind,
    ScanMode,
    Scanned,
)

_OF_INTEREST = re.compile(r"""["']|/[/*]|\#|asm""")
_OF_INTEREST_IN_DIRECTIVE = re.compile(rf"""["']|/[/*]|asm|\\{END}|[\r\n]""")
_LINE_COMMENT = re.compile(REST_OF_LINE)
_LITERALS = {
    '"': re.compile(rf'(?:[^"\\\r\n]|\\(?:{END}|.)?|(?!))*+"?'),
    "'": re.compile(rf"(?:[^'\\\r\n]|\\(?:{END}|.)?|(?!))*+'?"),
}
_RAW_OPENING = re.compile(r'"([^()\\\s"]{0,16})\(')
_RAW_PREFIX = re.compile(r"(?:^|.*?[^\w$])((?:u8|[uUL])?R)\Z", re.S)
_SEPARATOR = re.compile(r"(?:^|.*[^\w'])\d[\w']*\Z", re.S)
_WORD = re.compile(r"[\w$]*")
_GAP = re.compile(rf"(?:\s|\\{END}|//{REST_OF_LINE}|{BLOCK_COMMENT}|(?!))*+")
_GAP_IN_DIRECTIVE = re.compile(rf"(?:[ \t\f\v]|\\{END}|{BLOCK_COMMENT}|(?!))*+")
_QUALIFIER = re.compile(r"(?:__)?(?:volatile|inline)(?:__)?\b|goto\b")
_DECLARATOR_END = re.compile(r"(?:[\w$]+[ \t]*|[)\]]\s*)\Z")
_LONGEST_DECLARATOR_END = 80  # code points
_MOST_INDENTATION = 200  # code points
_DIRECTIVE_WORD = re.compile(r"\#[ \t]*(\w*)")
_PROSE = frozenset(("error", "warning"))


class _Scanner:
    """One pass over a text. `inside` and `in_directive` are those of the mode at `at`.

    `is_inner` is True in a raw string.
    """

    def __init__(self, text: str, host: Host, mode: ScanMode, last: bool, is_inner: bool) -> None:
        self.text = text
        self.host = host
        self.in_directive = mode.in_directive
        self.inside = mode.inside
        self.last = last
        self.is_inner = is_inner
        self.at = 0
        self.statements: list[AsmStatement] = []

    def run(self) -> Scanned:
        """Read the text to its end, or to a statement that more text may complete."""
        while self.at < len(self.text):
            if not (self._leave() if self.inside else self._code()):
                break
        return Scanned(self.statements, self.at, ScanMode(self.inside, in_directive=self.in_directive))

    def _leave(self) -> bool:
        """Go to the end of the comment or literal at `at`."""
        text, inside = self.text, self.inside
        if inside == "/*" or inside[0] == "R":
            closing = "*/" if inside == "/*" else ")" + inside[1:] + '"'
            end = text.find(closing, self.at)
            self.at = len(text) if end < 0 else end + len(closing)
            self.inside = inside if end < 0 else ""
            return True
        found = (_LINE_COMMENT if inside == "//" else _LITERALS[inside]).match(text, self.at)
        assert found is not None
        self.at = found.end()
        continues = self.at == len(text) and text.endswith(("\\\n", "\\\r", "\\\r\n"))
        self.inside = inside if continues and not self.last else ""
        return True

    def _code(self) -> bool:
        """Go to the next place of interest and past it. False if the text must be read again from `at`."""
        found = (_OF_INTEREST_IN_DIRECTIVE if self.in_directive else _OF_INTEREST).search(self.text, self.at)
        if found is None:
            self.at = len(self.text)
            return True
        start, spelling = found.span()[0], found[0]
        if spelling == "asm":
            return self._asm(start)
        self.at = found.end()
        if spelling in ("//", "/*"):
            self.inside = spelling
        elif spelling in ('"', "'"):
            return self._quote(start, spelling)
        elif spelling == "#":
            self._directive(start)
        elif spelling in "\r\n":
            self.in_directive = False
        return True

    def _quote(self, start: int, quote: str) -> bool:
        text = self.text
        before = text[max(0, start - 64) : start]
        if quote == "'" and before and before[-1].isalnum() and _SEPARATOR.match(before):
            return True
        prefix = _RAW_PREFIX.match(before[-4:]) if quote == '"' and before.endswith("R") else None
        opening = _RAW_OPENING.match(text, start) if prefix else None
        if prefix and opening:
            return self._raw(start - len(prefix[1]), opening)
        self.inside = quote
        return True

    def _raw(self, start: int, opening: re.Match[str]) -> bool:
        """Go past the raw string that begins at `start`, and scan its text."""
        text, delimiter = self.text, opening[1]
        limit = min(len(text), start + LONGEST_STRING)
        end = text.find(f'){delimiter}"', opening.end(), limit)
        if end < 0 and not self.last and len(text) - start < LONGEST_STRING:
            self.at = start
            return False
        self.at = opening.end() if end < 0 else end + len(delimiter) + 2
        self.inside = "R" + delimiter if end < 0 else ""
        if end >= 0 and not self.is_inner and text.find("asm", opening.end(), end) >= 0:
            literal = Piece(PieceKind.LITERAL, start, self.at, *C_RAW.decode(text, opening.end(), end))
            inner = inner_text([literal])
            found = scan_c(inner.text, self.host, CODE, True, is_inner=True).statements
            self.statements += (relocated(one, inner) for one in found if not has_placeholders(one, inner.text))
        return True

    def _directive(self, start: int) -> None:
        text = self.text
        first = max(0, start - _MOST_INDENTATION)
        line = max(text.rfind("\n", first, start), text.rfind("\r", first, start)) + 1
        if (not line and first) or text[line:start].strip(" \t\f\v"):
            return
        word = _DIRECTIVE_WORD.match(text, start)
        assert word is not None
        self.in_directive = True
        self.at = word.end()
        if word[1] in _PROSE:
            self.inside = "//"

    def _asm(self, start: int) -> bool:
        """Read the statement that the letters at `start` begin, if they are a word that begins one."""
        text = self.text
        letters = start
        while start and text[start - 1] == "_" and letters - start < 2:
            start -= 1
        found = _WORD.match(text, start)
        assert found is not None
        before = text[start - 1] if start else ""
        self.at = max(found.end(), self.at)
        if found[0] not in ASM_WORDS or before.isalnum() or before in ("_", "$"):
            return True
        gap = _GAP_IN_DIRECTIVE if self.in_directive else _GAP
        limit = min(len(text), start + LONGEST)
        words = [found[0]]
        at = found.end()
        while (next_at := _end(gap, text, at, limit)) < limit:
            qualifier = _QUALIFIER.match(text, next_at, limit)
            if qualifier is None:
                break
            words.append(qualifier[0])
            at = qualifier.end()
        if next_at >= limit or (text.startswith("/*", next_at) and text.find("*/", next_at, limit) < 0):
            return self._unfinished(start)
        if text[next_at] != "(":
            return True
        tokens = statement_tokens(text, next_at, limit, self.in_directive)
        if tokens.ran_out and not self._unfinished(start):
            return False
        if not (self.is_inner and is_cut_or_of_another_language(text, tokens)):
            self.statements.append(read_statement(text, self.host, start, words, tokens))
        self.at = max(tokens.end, self.at)
        return True

    def _unfinished(self, start: int) -> bool:
        """Whether the statement at `start` ends here although it is not closed; else more text is needed."""
        if self.last or len(self.text) - start >= LONGEST:
            return True
        self.at = self._declarator_end(start)
        return False

    def _declarator_end(self, start: int) -> int:
        """Where the word or bracket before the statement at `start` begins, which says whether it names a symbol."""
        first = max(0, start - _LONGEST_DECLARATOR_END)
        found = _DECLARATOR_END.search(self.text, first, start)
        is_whole = found is not None and (found.start() > first or not first)
        return found.start() if found is not None and is_whole else start


def scan_c(text: str, host: Host, mode: ScanMode, last: bool, is_inner: bool = False) -> Scanned:
    """The statements of a text that begins in `mode`. `last` is True if no more text follows.

    `is_inner` is True for the text of a string, whose own raw strings are passed over.
    """
    return _Scanner(text, host, mode, last, is_inner).run()


def _end(pattern: re.Pattern[str], text: str, at: int, limit: int) -> int:
    found = pattern.match(text, at, limit)
    return found.end() if found else at
