"""Recognises a text that is not PTX: it gets one finding, and not one for each of its lines.

`.ptx` is also the suffix of PreTeXt (XML) and of other files, and some cubins and UTF-16 files have it too.
"""

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Finding
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range

SAMPLE = 4096  # characters of a text
SHOWN = 60

_MARKUP = lazy_pattern(r"[ \t\r\n\f\ufeff]*<(?:[?!/]|[A-Za-z])")
_BLANK = lazy_pattern(r"[ \t\r\n\f\ufeff]*")
_FIRST_LINE = lazy_pattern(r"[^\r\n]*")
_VERSION = lazy_pattern(r"(?:^|\*/)[ \t\f\ufeff]*\.version\b", re.M)
# what no other language writes by accident: a directive at the start of a line, or a fundamental type as a modifier
_EVIDENCE = lazy_pattern(
    r"^[ \t\f]*\.(?:version|target|address_size|visible|extern|weak|common|entry|func|reg|global|shared|const|local"
    r"|param|file|loc|section|pragma|alias)\b"
    r"|\.(?:pred|[bu](?:8|16|32|64|128)|s(?:8|16|32|64)|f(?:16x2|16|32|64)|bf16)\b",
    re.M,
)
_SIGNATURES = (
    ("\x7fELF", "an ELF file (a cubin?)"),
    ("P\udced", "a fat binary"),  # 0xBA55ED50, little endian, its second byte no UTF-8
    ("\udcff\udcfe", "UTF-16 text"),
    ("\udcfe\udcff", "UTF-16 text"),
    ("\x1f\udc8b", "gzip-compressed data"),
    ("PK\x03\x04", "a ZIP archive"),
)
_MARKS = tuple(mark for mark, _ in _SIGNATURES)
_USUAL_VERSION = "\n.version "
_UNPRINTABLE = lazy_pattern("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f\ufffd\udc80-\udcff]")
_UTF16 = lazy_pattern(r"(?:[^\x00]\x00){8}|(?:\x00[^\x00]){8}")


def recognise(text: str) -> Finding | None:
    """The one finding for a text that holds no PTX: empty, binary, UTF-16, or another language; None for PTX.

    `text` was decoded as UTF-8 with `surrogateescape`, or by an editor. A text that begins with `.version` after blanks
    and comments, as every text that ptxas accepts does, gives None. The time is linear in the text, and constant for
    PTX whose `.version` is near its beginning.
    """
    if is_surely_ptx(text):
        return None
    if _BLANK.fullmatch(text):
        return _finding("empty-file", text, "the file is empty: a module begins with `.version` and `.target`")
    signature = _signature(text)
    if signature is not None:
        return _finding("not-text", text, f"this is {signature}, not PTX: PTX is plain ASCII or UTF-8 text")
    sample = text[:SAMPLE]
    if _UTF16.search(sample):
        return _finding("not-text", text, "this is UTF-16 text: save it as UTF-8 or ASCII, which is what PTX is")
    written = sample.rstrip("\x00")
    if len(_UNPRINTABLE.findall(written)) * 10 >= len(written):
        return _finding("not-text", text, "this is binary data, not PTX: PTX is plain ASCII or UTF-8 text")
    if _MARKUP.match(text):
        message = "this looks like XML (PreTeXt uses the suffix `.ptx` too), not like PTX: it is not checked"
        return _finding("not-ptx", text, message)
    if not _EVIDENCE.search(text):
        if _has_only_comments(text):
            message = "the file has only comments: a module begins with `.version` and `.target`"
            return _finding("empty-file", text, message)
        if "\r" in text and _EVIDENCE.search(text.replace("\r", "\n")):
            return None  # a lone `\r` ends a line, but no comment
        message = "this does not look like PTX: it is not checked (a PTX module begins with `.version`)"
        return _finding("not-ptx", text, message)
    return None


def _has_only_comments(text: str) -> bool:
    from ptx_lsp.syntax.lexer import Cursor  # most texts have something else

    cursor = Cursor(text)
    return not cursor.begin() and not cursor.lexical


def is_surely_ptx(text: str) -> bool:
    """Whether a text, or the beginning of one, has a `.version` at the start of a line, so that it is PTX."""
    if text.startswith(_MARKS):
        return False
    return text.find(_USUAL_VERSION, 0, SAMPLE) >= 0 or _VERSION.search(text) is not None


def _signature(text: str) -> str | None:
    return next((what for mark, what in _SIGNATURES if text.startswith(mark)), None)


def _finding(code: str, text: str, message: str) -> Finding:
    first = _FIRST_LINE.match(text)
    end = 0 if first is None else min(first.end(), SHOWN)
    return Finding(code, Range(0, 0, 0, end), message, default_severity(code))


def recognise_document(document: Document) -> Finding | None:
    """The result of `recognise` for a document."""
    # `.version` is mostly in the first chunk; then the other chunks need not be searched
    first = ""
    for number in range(document.chunk_count):
        first += document.chunk(number)
        if len(first) >= SAMPLE:
            break
    return None if recognise(first) is None else recognise(document.whole())
