"""A long message, parsed while it arrives.

A document of a million lines is 40 MB of JSON. Parsing it and cutting the text into chunks takes 200 ms. This is done
for each portion of bytes as it arrives, so that later requests need not wait.
"""

import json
import re

from ptx_lsp.server.frames import Message, read_message, unreadable
from ptx_lsp.text.document import CHARACTERS_PER_CHUNK, Document

DID_OPEN = "textDocument/didOpen"
_TEXT = re.compile(rb'(?<!\\)"text"[ \t\r\n]*:[ \t\r\n]*"')
_OVERLAP = 64  # bytes; a match may begin in one portion and end in the next
_PLACEHOLDER = "\x00the text belongs here"
_BACKSLASH = 0x5C


class StreamedMessage:
    """One message: `feed` takes its body in any portions, then `message` gives the message.

    The string after the first key `text` is parsed line by line as it arrives; the rest is kept until the end.
    """

    __slots__ = ("_document", "_ended", "_place", "_reason", "_rest", "_string", "left")

    def __init__(self, length: int) -> None:
        self.left = length
        """How many bytes of the body have not arrived yet."""
        self._rest = bytearray()  # the body without the text
        self._place = -1  # where in the rest the text belongs; -1 before the text has begun
        self._string = bytearray()  # the part of the text that has not been parsed yet
        self._ended = False  # True once the text has ended
        self._document = Document()
        self._reason = ""  # why the text cannot be parsed; empty if it can

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the body, at most `left`."""
        self.left -= len(data)
        if self._place < 0:
            data = self._begin(data)
        if self._place >= 0 and not self._ended:
            data = self._read_text(data)
        self._rest += data

    def message(self) -> Message:
        """The message, once `left` is 0. The text of `textDocument/didOpen` is a `Document`, others are strings."""
        if self._place < 0:
            return read_message(bytes(self._rest))
        if self._reason or not self._ended:
            return unreadable(f"this is not JSON: {self._reason or 'a string without an end'}")
        self._rest[self._place : self._place] = json.dumps(_PLACEHOLDER).encode()
        body = bytes(self._rest)
        message = read_message(body)
        if message.get("method") != DID_OPEN:
            return read_message(body, self._put_back)
        params = message.get("params")
        item = params.get("textDocument") if isinstance(params, dict) else None
        if not isinstance(item, dict) or item.get("text") != _PLACEHOLDER:
            return read_message(body, self._put_back)
        item["text"] = self._document
        return message

    def _put_back(self, value: Message) -> Message:
        if value.get("text") == _PLACEHOLDER:
            value["text"] = self._document.whole()
        return value

    def _begin(self, data: bytes) -> bytes:
        """Look for the beginning of the text; the bytes of the text that have arrived."""
        searched = max(0, len(self._rest) - _OVERLAP)
        self._rest += data
        match = _TEXT.search(self._rest, searched)
        if match is None:
            return b""
        self._place = match.end() - 1
        found = bytes(self._rest[match.end() :])
        del self._rest[self._place :]
        return found

    def _read_text(self, data: bytes) -> bytes:
        """Parse the lines that are complete now; the bytes after the text."""
        string = self._string
        fresh = len(string)
        string += data
        end = _find_quote(string, fresh)
        if end >= 0:
            after = bytes(string[end + 1 :])
            self._decode(bytes(string[:end]))
            string.clear()
            self._ended = True
            return after
        cut = _find_last_line_end(string, max(0, fresh - 1))
        if cut:
            self._decode(bytes(string[:cut]))
            del string[:cut]
        return b""

    def _decode(self, piece: bytes) -> None:
        if not self._reason:
            try:
                self._append(json.loads('"' + piece.decode("utf-8", "surrogatepass") + '"'))
            except ValueError as error:
                self._reason = str(error)

    def _append(self, text: str) -> None:
        head = 0
        if self._document.chunk_count == 1:
            # The first lines are the slowest, as no form of an instruction is known yet: 20 ms for a hundred of them.
            # Small chunks let the server answer requests between them.
            head = text.rfind("\n", 0, CHARACTERS_PER_CHUNK) + 1
            self._document.append(text[:head], finely=True)
        self._document.append(text[head:])


def _find_quote(string: bytearray, start: int) -> int:
    """The index of the quote that ends the string, from `start` on; -1 if it has not arrived."""
    at = string.find(b'"', start)
    while at >= 0 and _is_escaped(string, at):
        at = string.find(b'"', at + 1)
    return at


def _find_last_line_end(string: bytearray, start: int) -> int:
    """The index after the last escaped line end from `start` on; 0 if nothing is found."""
    at = string.rfind(b"\\n", start)
    while at >= 0 and _is_escaped(string, at):
        at = string.rfind(b"\\n", start, at)
    return at + 2 if at >= 0 else 0


def _is_escaped(string: bytearray, at: int) -> bool:
    """Whether an odd number of backslashes precedes an index."""
    start = at
    while start and string[start - 1] == _BACKSLASH:
        start -= 1
    return (at - start) % 2 == 1
