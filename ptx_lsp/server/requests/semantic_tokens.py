"""`textDocument/semanticTokens/full`, `full/delta` and `range`: encoded straight to JSON, in slices.

In the protocol a token is five numbers: its line and column relative to the token before it, its length, its type and
its modifiers. So an edit changes the numbers of few tokens, and a delta is the part of the numbers that has changed.
"""

from array import array
from collections.abc import Generator, Iterator
from itertools import count

from lsprotocol import types

from ptx_lsp.features.semantic_tokens import MOST_LINES, BlockTokens, Numbers, semantic_tokens, tokens_in_range
from ptx_lsp.server.documents import OpenDocument, SentTokens, path_of
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonParts
from ptx_lsp.server.requests.wire_ranges import core_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices

_NUMBERS_PER_TOKEN = 5
_NUMBERS_PER_STEP = 5_000
_NONE: Numbers = array("I")
_ids = count(1)

Answer = JsonParts | ErrorResult | None


async def full(server: Server, params: types.SemanticTokensParams) -> Answer:
    """All tokens of a document; null, and a note to the user, for a very long one."""
    document = server.document(params.text_document.uri)
    return None if document is None else await _answer(server, document, "")


async def delta(server: Server, params: types.SemanticTokensDeltaParams) -> Answer:
    """What has changed since the answer with the client's result id; all tokens if that is not the last answer."""
    document = server.document(params.text_document.uri)
    return None if document is None else await _answer(server, document, params.previous_result_id)


async def in_range(server: Server, params: types.SemanticTokensRangeParams) -> Answer:
    """The tokens of a range; of one with more than `MOST_LINES` lines those of its first lines, and a note to the user.

    While a long document is being read, names are judged by their spelling where the analysis has not arrived; the
    client is asked to request the tokens again when it has.
    """
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    edited = document.edited
    if not document.module.settled and document.module.document.line_count <= MOST_LINES:
        await server.scheduler.complete(document)
    if document.edited != edited:
        return CONTENT_MODIFIED
    document.guessed_tokens |= server.scheduler.works_on(document)
    range_ = core_range(document, params.range)
    last = min(range_.end_line, range_.line + MOST_LINES - 1)
    if last < range_.end_line:
        _say_that_it_is_long(server, document)
    return await answer_in_slices(server, document, _in_range(document, range_.line, last))


def _in_range(document: OpenDocument, first: int, last: int) -> Generator[None, None, JsonParts]:
    """The tokens of some lines. Each portion is written at once: an array of millions of numbers is slow to extend."""
    parts = [b'{"data":[']
    for numbers in _encoded(document, tokens_in_range(document.module, first, last)):
        yield
        for part in _written(numbers or _NONE, "," if len(parts) > 1 else ""):
            parts.append(part)
            yield
    parts.append(b"]}")
    return JsonParts(parts)


async def _answer(server: Server, document: OpenDocument, previous: str) -> Answer:
    """The tokens of a document, or the difference from the last answer if `previous` is its id."""
    if document.module.document.line_count > MOST_LINES:
        _say_that_it_is_long(server, document)
        return None
    edited = document.edited
    if not document.module.settled:
        await server.scheduler.complete(document)
    if document.edited != edited:
        return CONTENT_MODIFIED
    document.guessed_tokens |= server.scheduler.works_on(document)  # what nothing uses is known after slow checks
    return await answer_in_slices(server, document, _all(document, previous))


def _all(document: OpenDocument, previous: str) -> Generator[None, None, JsonParts]:
    numbers = yield from _numbers(document, semantic_tokens(document.module))
    before = document.sent_tokens
    sent = document.sent_tokens = SentTokens(str(next(_ids)), numbers)
    head = f'{{"resultId":"{sent.result_id}",'
    if before is None or before.result_id != previous:
        return (yield from _listed(f'{head}"data":[', numbers, "]}"))
    return (yield from _delta(head, before.numbers, numbers))


def _numbers(document: OpenDocument, found: Iterator[list[BlockTokens]]) -> Generator[None, None, Numbers]:
    """The tokens as the protocol has them."""
    numbers: Numbers = array("I")
    for some in _encoded(document, found):
        numbers += some or _NONE
        yield
    return numbers


def _encoded(document: OpenDocument, found: Iterator[list[BlockTokens]]) -> Iterator["Numbers | None"]:
    """The tokens as the protocol has them, in portions, and None in place of one where the caller may pause."""
    last = (0, 0)  # the line and column of the last token
    for blocks in found:
        for block in blocks:
            wire = yield from _wire(document, block)
            if wire:
                line = block.line + wire[0]
                following = block.line + wire[-1], wire[-2]
                del wire[-2:]
                wire[0] = line - last[0]
                if not wire[0]:
                    wire[1] -= last[1]
                yield wire
                last = following
        yield None


def _wire(document: OpenDocument, block: BlockTokens) -> Generator[None, None, Numbers]:
    """The tokens of a block, each relative to the one before it; then the column and line of the last one. In steps."""
    wire: Numbers = array("I")
    line = column = 0
    is_wide = False
    numbers = iter(block.numbers)
    for at, start, length, type_, modifiers in zip(*[numbers] * _NUMBERS_PER_TOKEN, strict=True):
        if at != line or not wire:
            is_wide = document.may_be_wide(block.line + at)
        if is_wide:
            end = document.column(block.line + at, start + length)
            start = document.column(block.line + at, start)
            length = end - start
        wire.extend((at - line, start - column if at == line else start, length, type_, modifiers))
        line, column = at, start
        if not len(wire) % _NUMBERS_PER_STEP:
            yield
    if wire:
        wire.extend((column, line))
    return wire


def _delta(head: str, before: Numbers, after: Numbers) -> Generator[None, None, JsonParts]:
    """The one edit that changes the first numbers into the second; none if they are equal."""
    same = _common(before, after)
    if same == len(before) == len(after):
        return JsonParts([f'{head}"edits":[]}}'.encode()])
    yield
    rest = _common(before[same:], after[same:], at_end=True)
    removed = len(before) - rest - same
    return (
        yield from _listed(
            f'{head}"edits":[{{"start":{same},"deleteCount":{removed},"data":[',
            after[same : len(after) - rest],
            "]}]}",
        )
    )


def _common(first: Numbers, second: Numbers, at_end: bool = False) -> int:
    """How many numbers at the beginning, or at the end, are the same in both: a multiple of the numbers of a token."""
    token = first.itemsize * _NUMBERS_PER_TOKEN
    one, other = memoryview(first).cast("B"), memoryview(second).cast("B")  # compared without a copy
    low, high = 0, min(len(one), len(other)) // token
    while low < high:
        middle = (low + high + 1) // 2
        size = middle * token
        if (one[-size:] == other[-size:]) if at_end else (one[:size] == other[:size]):
            low = middle
        else:
            high = middle - 1
    return low * _NUMBERS_PER_TOKEN


def _listed(head: str, numbers: Numbers, end: str) -> Generator[None, None, JsonParts]:
    """Numbers between a head and an end, as parts of JSON."""
    parts = [head.encode()]
    for part in _written(numbers, ""):
        parts.append(part)
        yield
    parts.append(end.encode())
    return JsonParts(parts)


def _written(numbers: Numbers, comma: str) -> Iterator[bytes]:
    """Numbers as JSON, in parts; `comma` is what comes before the first one."""
    for at in range(0, len(numbers), _NUMBERS_PER_STEP):
        yield (("," if at else comma) + ",".join(map(str, numbers[at : at + _NUMBERS_PER_STEP]))).encode()


def _say_that_it_is_long(server: Server, document: OpenDocument) -> None:
    """Inform the user once that a document has the colours of names only where it is shown."""
    if document.noted_length:
        return
    document.noted_length = True
    name = path_of(document.uri).rsplit("/", 1)[-1]
    lines = document.module.document.line_count
    text = f"{name} has {lines:,} lines: names are coloured by their meaning only in the part that is shown"
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
