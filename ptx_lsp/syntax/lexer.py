"""From text to tokens: one regular expression, and a cursor over its matches.

A token's kind is a short string: for punctuation and operators the text itself (`,`, `<<`), else one of the constants
below. Observed with ptxas 13.5: `\\f` is a blank and `\\v` is not; a `//` comment runs to `\\n` (a lone `\\r` does not
end it); `%` before a letter, digit, `_` or `$` begins a name; the suffix `U` is in upper case.
"""

from ptx_lsp.light_classes import NamedTuple, bisect_left, deque
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.known_values import find_values
from ptx_lsp.syntax.long_strings import end_of_long_string
from ptx_lsp.syntax.plain_text import BLOCK_COMMENT, LINE_MARKER, PREPROCESSOR, SOURCE_TEXT
from ptx_lsp.syntax.tree import Problem

NAME = "name"  # an identifier; `_` alone is SINK
DOTTED = "dotted"  # a word after a dot, `.u32`, `.L2::128B`
INTEGER = "integer"
FLOAT = "float"
SINGLE = "single"  # 0f and 8 hex digits
DOUBLE = "double"  # 0d and 16 hex digits
MALFORMED = "malformed"
STRING = "string"
SINK = "sink"
WARP = "warp"  # WARP_SZ, a reserved word
DWARF = "dwarf"  # @@DWARF
SOURCE = "source"  # a text of another language, with the words around it
VALUES = "values"  # many initial values with the commas between them
END = "end"

UNTERMINATED = "unterminated-comment"
UNTERMINATED_STRING = "unterminated-string"
MALFORMED_NUMBER = "malformed-number"
NO_WORD = "a word is missing after this `.`"
PREPROCESSOR_LINE = "preprocessor-line"
"""The code of the problem of a line for the preprocessor of C, which is read like a comment."""
_BEYOND_ASCII = "only comments may hold characters beyond ASCII"
_BYTE_ORDER_MARK = "a byte order mark: the assembler takes only a file without one"
NEVER_CLOSED = "this comment is never closed with `*/`"

NUMBERS = frozenset((INTEGER, FLOAT, SINGLE, DOUBLE, MALFORMED))
LITERALS = NUMBERS | {WARP}
AFTER_OPERAND = frozenset((",", ";", "]", ")", "}"))
BEGINS_OPERAND = LITERALS | {NAME, SINK, STRING, "{", "[", "("}

# A constant of C, `'a'`. Without a character that can end a statement: other searches of the text do not know it.
_CHARACTERS = r"""'\\?(?!['";/{}])[ -~]' | '\\?\w{2,4}'"""

_TOKEN = lazy_pattern(
    rf"""[ \t\r\n\f]*(?:
      (?P<warp>WARP_SZ(?![\w$]))
    | (?P<name>%[\w$]+ | [A-Za-z][\w$]* | [_$][\w$]+)
    | (?P<source>{SOURCE_TEXT})
    | (?P<dotted>\.(?:[A-Za-z_][\w$]* | [0-9]+(?:d(?:ms|_buffer)?|pi|byte|x[0-9]+b\w*)(?![\w$]))
        (?:::(?:[0-9]+:[0-9]+|\w+))*)
    | (?P<dwarf>@@DWARF\b)
    | (?P<op>[,;\[\]{{}}+():@~?^] | /(?![/*]) | <<|>>|[<>]=? | [=!]=? | &&? | \|\|? | [-*%])
    | (?P<single>0[fF][0-9a-fA-F]{{8}}(?![\w$.]))
    | (?P<double>0[dD][0-9a-fA-F]{{16}}(?![\w$.]))
    | (?P<integer>(?:0[xX][0-9a-fA-F]+ | 0[bB][01]+ | 0[0-7]* | [1-9][0-9]*)U?(?![\w.]|\$(?!\w))
        | (?:0[xX][0-9a-fA-F]+U? | 0[bB][01]+U? | 0[0-7]*U | [1-9][0-9]*U)(?=\.[A-Za-z_]))
    | (?P<float>(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)? | \.[0-9]+(?:[eE][+-]?[0-9]+)?
        | [0-9]+[eE][+-]?[0-9]+)(?![\w$.]) | [0-9]+\.[0-9]+(?=\.target\b))
    | (?P<malformed>\.?[0-9][\w$.]* | {_CHARACTERS})
    | (?P<comment>//[^\n]* | {BLOCK_COMMENT} | {LINE_MARKER})
    | (?P<preprocessor>{PREPROCESSOR})
    | (?P<string>"(?:[^"\r\n]++|\r(?!\n)|(?!))*+"?)
    | (?P<sink>_)
    | (?P<endless>/\*)
    | (?P<foreign>[^\x00-\x7f]+)
    | (?P<other>[^ \t\r\n\f])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.ASCII,
)
_UNUSUAL = frozenset((MALFORMED, STRING, END, "comment", "endless", "foreign", "other", "preprocessor"))
_KINDS: dict[int, str | None] = {index: name for name, index in _TOKEN.groupindex.items()}
_KINDS[_TOKEN.groupindex["op"]] = None  # the text itself
_QUOTES = "'`"  # what other languages have around a character or a word
_PASSED_OVER = frozenset(("\x1a", "\0"))  # Ctrl-Z, the end of a file to some editors; NUL is reported once for a file
_BEFORE_VALUES = ("{", ",")
_NO_BEGIN = LITERALS | {","}  # no statement begins with these
_MOST_SPLIT = 2_048  # values of a mistake that are split
_NO_MARK = "a constant is written without `#`"
_DIRECTIVE_OF_C = lazy_pattern(r"#[ \t]*\w+")


class ReadSoFar(NamedTuple):
    """What a cursor has read of its text, up to the offset `offset`: the attributes of `Cursor` with these names."""

    kinds: list[str]
    starts: list[int]
    ends: list[int]
    lexical: tuple[Problem, ...]
    has_values: bool
    is_long: bool
    offset: int
    quote: tuple[str, int]


class Cursor:
    """The tokens of a text, read in batches, and the problems found while reading.

    `kinds`, `starts` and `ends` run in parallel; `at` is the index of the next token. The last token of a batch is
    `;` or END, so a caller that does not step past these needs no bounds check. The next batch begins at `offset`;
    reading stops before `limit`. `has_values` is true if the batch may have a token of many values, `is_long` if very
    many are in no initialiser. `begun` is the offset of the current statement; `problems` has its first problem.
    `lexical` are the problems of single tokens that no statement has taken so far, in the order of the text. `fresh` is
    true if nothing before the statement on its line has been reported. `short` is true if the statement might be
    another one if the text continued. `list_ends` are the notes of `header_ends.py`.
    """

    __slots__ = (
        *("_before", "_quote", "at", "begun", "ends", "fresh", "has_values", "is_long", "kinds", "lexical", "limit"),
        *("list_ends", "offset", "problems", "short", "starts", "text"),
    )

    def __init__(self, text: str, start: int = 0, limit: int | None = None, is_begin: bool = True) -> None:
        """`is_begin` is false if a statement ends above `start`."""
        self.text = text
        self.offset = start
        self.limit = len(text) if limit is None else limit
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.at, self.fresh, self.short, self.has_values, self.is_long = 0, True, False, False, False
        self.lexical: deque[Problem] = deque()
        self.problems: list[Problem] = []
        self.list_ends: tuple[tuple[bool, int, int, int], ...] = ()
        self.begun = start
        # the end of the token before the batch; a comment before all of the text that is read began in a line above
        self._before = 0 if is_begin and text.endswith("*/", 0, start) else start
        # the message about the last quotation mark, and where that ends
        self._quote = ("", 0) if text[start - 1 : start] in ("", "\n") else _last_quote(text, start)

    def begin(self) -> bool:
        """Make sure that the first token of a statement is read. False at the end of the text."""
        if self.at == len(self.kinds):
            self._before = self.ends[-1] if self.ends else self._before
            self.kinds.clear()
            self.starts.clear()
            self.ends.clear()
            self.at, self.has_values, self.is_long = 0, False, False
            self.read_batch()
        return self.kinds[self.at] != END

    def seek(self, offset: int) -> bool:
        """Go to the first token that begins at or after `offset`. False if it has not been read yet.

        What is above has been read already, perhaps by another cursor: its problems are dropped.
        """
        while self.lexical and self.lexical[0].start < offset:
            self.lexical.popleft()
        self.at = bisect_left(self.starts, offset)
        return self.at < len(self.starts)

    def read_batch(self, initial: bool = False) -> None:
        """Read tokens up to and including the next `;`, or to the end; `initial` is true inside of an initialiser."""
        while not self._read_tokens(initial):
            initial = self.kinds[-1] == VALUES

    def _read_tokens(self, initial: bool) -> bool:
        """Read tokens up to the end of the batch; False after a string over several lines or many initial values.

        `initial` is true from the first brace of an initialiser on.
        """
        text, kinds, starts, ends = self.text, self.kinds, self.starts, self.ends
        for match in _TOKEN.finditer(text, self.offset, self.limit):
            group: int = match.lastindex  # type: ignore[assignment]
            start, end = match.span(group)
            kind = _KINDS[group]
            if kind is None:
                kind = text[start:end]
                if kind in _BEFORE_VALUES and (initial or (kind == "{" and kinds[-1:] == ["="])):
                    initial = True
                    run = find_values(text, end, self.limit)
                    if run is not None:
                        self.has_values = True
                        kinds += kind, VALUES
                        starts += start, run[0]
                        ends += end, run[1]
                        self.offset = run[1]
                        return False
            elif kind in _UNUSUAL:
                if kind == STRING and (end - start < 2 or text[end - 1] != '"'):
                    closing = end_of_long_string(text, start, self.limit)
                    if closing > 0:
                        end = self.offset = closing
                kind = self._unusual(kind, start, end)
                if kind is None:
                    continue
                if kind == END:
                    break
            kinds.append(kind)
            starts.append(start)
            ends.append(end)
            if kind == ";":
                self.offset = end
                return True
            if end == self.offset:
                return False
        self.offset = self.limit
        kinds.append(END)
        starts.append(self.limit)
        ends.append(self.limit)
        return True

    def read_so_far(self) -> ReadSoFar:
        """What has been read, to be put back after the parser has tried something: it may change all of this."""
        tokens = [*self.kinds], [*self.starts], [*self.ends]
        return ReadSoFar(*tokens, tuple(self.lexical), self.has_values, self.is_long, self.offset, self._quote)

    def put_back(self, read: ReadSoFar) -> None:
        """Take what has been read for that which had been read before; what follows is read again."""
        # the lists stay the same objects: the caller may have them
        self.kinds[:], self.starts[:], self.ends[:] = read.kinds, read.starts, read.ends
        self.lexical, self.has_values, self.is_long = deque(read.lexical), read.has_values, read.is_long
        self.offset, self._quote = read.offset, read.quote

    def split_values(self) -> None:
        """Replace each token of many values from the cursor on by the tokens of its text: no initialiser is there.

        Very many of them stay together, except for the first, if the cursor is at a mistake: only its begin matters.
        """
        if not self.has_values:
            return
        at, self.has_values, text = self.at, False, self.text
        is_stray = not _NO_BEGIN.isdisjoint(self.kinds[at : at + 1])
        rest = list(zip(self.kinds[at:], self.starts[at:], self.ends[at:], strict=True))
        del self.kinds[at:], self.starts[at:], self.ends[at:]
        for kind, start, end in rest:
            kinds, starts, ends = [kind], [start], [end]
            if kind == VALUES:
                is_long = is_stray and text.count(",", start, end) > _MOST_SPLIT
                inside = Cursor(text, start, text.index(",", start) + 1 if is_long else end)
                inside.read_batch()
                kinds, starts, ends = inside.kinds[:-1], inside.starts[:-1], inside.ends[:-1]
                if is_long:
                    kinds, starts, ends = [*kinds, VALUES], [*starts, ends[-1]], [*ends, end]
                    self.has_values = self.is_long = True
            self.kinds += kinds
            self.starts += starts
            self.ends += ends

    def _unusual(self, kind: str, start: int, end: int) -> str | None:
        """The kind of a token of `_UNUSUAL`: None to skip the token, END to skip the rest of the text."""
        if kind == "comment":
            return None
        if kind == END:
            return END
        if kind == "endless":
            self._complain(UNTERMINATED, NEVER_CLOSED, start, start + 2)
            return END
        text = self.text[start:end]
        if kind == STRING:
            if len(text) < 2 or text[-1] != '"':
                end = start + len(text.rstrip("\r"))
                self._complain(UNTERMINATED_STRING, 'this string has no closing `"` on its line', start, end)
            elif not text.isascii():
                self._complain("non-ascii", "a string can only hold ASCII characters", start, end)
            return STRING
        if kind == MALFORMED:
            self._complain(MALFORMED_NUMBER, f"`{text}` is not a number: {why_malformed(text)}", start, end)
            return MALFORMED
        if kind == "preprocessor":
            directive = _DIRECTIVE_OF_C.match(text)
            assert directive is not None, "the token begins with it"
            message = f"`{directive[0]}` is a line for the preprocessor of C, which nothing runs on PTX"
            self._complain(PREPROCESSOR_LINE, message, start, start + directive.end())
        elif kind == "foreign":
            self._complain("non-ascii", _BYTE_ORDER_MARK if text[0] == "\ufeff" else _BEYOND_ASCII, start, end)
        elif text not in _PASSED_OVER:
            shown = f"`{text}`" if text.isprintable() else f"the control character U+{ord(text):04X}"
            message = NO_WORD if text == "." else f"{shown} has no meaning in PTX"
            message = _NO_MARK if text == "#" and self.text[end : end + 1].isdecimal() else message
            if text not in _QUOTES or not self._closes_quote(message, start, end):
                self._complain("invalid-character", message, start, end)
        return None

    def _closes_quote(self, message: str, start: int, end: int) -> bool:
        """Whether a quotation mark follows another one on its line, which is reported."""
        before, place = self._quote
        self._quote = message, end
        return before == message and self.text.find("\n", place, start) < 0

    def _complain(self, code: str, message: str, start: int, end: int) -> None:
        self.lexical.append(Problem(code, message, start, end))

    def problem(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        *,
        related: tuple[tuple[int, int, str], ...] = (),
        data: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Report a syntax error of the statement. Only the first one is kept: later ones may follow from it."""
        read = max(end, self.ends[self.at - 1] if self.at else 0)
        if not self.problems and not (self.lexical and self._follows_from(self.lexical[0], read)):
            self.problems.append(Problem(code, message, start, end, related, data))

    def _follows_from(self, lexical: Problem, read: int) -> bool:
        """Whether an error in the text up to `read` may follow from what is wrong in it, or directly after it."""
        if lexical.start < read:
            return True
        is_next = self.at < len(self.starts) and lexical.start < self.starts[self.at]
        return is_next and not self.text[read : lexical.start].strip(" \t")

    def take_problems(self, end: int) -> tuple[Problem, ...]:
        """Return the problems of a statement that ends at offset `end`, in the order of the text, and drop them."""
        if not self.problems and not self.lexical:
            return ()
        own = self.problems
        self.problems = []
        last = own[-1].end if own else -1
        while self.lexical and self.lexical[0].start < end:
            found = self.lexical.popleft()
            if found.start != last and not (own and self._follows_mistake(own[-1], found)):
                own.append(found)
            last = found.end
        return tuple(sorted(own, key=lambda p: p.start))

    def _follows_mistake(self, before: Problem, found: Problem) -> bool:
        """Whether a problem is only that the text before it is wrong: `3d` after `tex. `, and strings divided."""
        return (found.code == MALFORMED_NUMBER and before.message == NO_WORD) or self._divides_strings(before, found)

    def _divides_strings(self, before: Problem, found: Problem) -> bool:
        """Whether a problem has a quotation mark too many for its line: what follows there is in strings by mistake."""
        text = self.text
        if '"' not in text[before.start : before.end]:
            return False
        begin, end = text.rfind("\n", 0, before.start) + 1, text.find("\n", before.start, self.limit)
        end = end if end >= 0 else self.limit
        return found.start < end and text.count('"', begin, end) % 2 == 1

    def take_preprocessor_line(self) -> tuple[Problem, int] | None:
        """Return and drop the first problem, if it is a line for the preprocessor before the token at the cursor.

        Also returns the offset of the end of that line, or of the begin of a comment in it.
        """
        line = self.lexical[0]
        if line.code != PREPROCESSOR_LINE or line.start >= self.starts[self.at]:
            return None
        token = _TOKEN.match(self.text, line.start, self.limit)
        return self.lexical.popleft(), token.end() if token is not None else line.end

    def word(self, index: int) -> str:
        """The text of a token."""
        return self.text[self.starts[index] : self.ends[index]]

    def joins_next(self) -> bool:
        """Whether a word with a dot follows the token at the cursor without a blank, as modifiers of an opcode do."""
        return self.kinds[self.at + 1] == DOTTED and self.ends[self.at] == self.starts[self.at + 1]

    def on_new_line(self, index: int) -> bool:
        """Whether a line ends between a token and the one before it, or the text begins with the token."""
        before = self.ends[index - 1] if index else self._before - 1  # reading may begin after the end of a line
        between = self.text[max(0, before) : self.starts[index]]
        return before < 0 or "\n" in between or "\r" in between


def _last_quote(text: str, start: int) -> tuple[str, int]:
    """What a cursor knows of quotation marks at an offset if it has read the line of the offset from its begin."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    above = Cursor(line.rpartition("*/")[2])  # the line may begin in a comment
    while any(mark in above.text for mark in _QUOTES) and above.begin():
        above.at = len(above.kinds)
    message, end = above._quote
    return message, start - len(above.text) + end


_WHY = (
    (lazy_pattern(r"0[fF][0-9a-fA-F]*\Z"), "`0f` takes exactly 8 hex digits"),
    (lazy_pattern(r"0[dD][0-9a-fA-F]*\Z"), "`0d` takes exactly 16 hex digits"),
    (lazy_pattern(r"0[fFdD]\w"), "only hex digits may follow `0f` or `0d`"),
    (lazy_pattern(r"0[xX]U?\Z"), "hex digits must follow `0x`"),
    (
        lazy_pattern(r"(?:[1-9][0-9]*|0[0-7]*|0[xX][0-9a-fA-F]+|0[bB][01]+)u\Z"),
        "the suffix for unsigned is upper case, `U`",
    ),
    (lazy_pattern(r"0[xX]"), "only hex digits and a final `U` may follow `0x`"),
    (lazy_pattern(r"0[bB]"), "only the digits 0 and 1 and a final `U` may follow `0b`"),
    (lazy_pattern(r"0[0-9]+U?\Z"), "a leading 0 means octal, which has no digits 8 and 9"),
    (lazy_pattern(r"[0-9.]+[eE]\Z"), "digits must follow the exponent's `e`"),
    (lazy_pattern(r"[0-9]*\.[0-9]*[fF]\Z"), "a float constant takes no suffix"),
)


def why_malformed(text: str) -> str:
    """What is wrong with a malformed number, as the end of a sentence."""
    if text[0] == "'":
        value = f"write its code, `{ord(text[1])}`" if len(text) == 3 else "write their codes"
        return f"PTX has no characters, {value}"
    reasons = (reason for pattern, reason in _WHY if pattern.match(text))
    return next(reasons, "letters or digits follow that do not belong")
