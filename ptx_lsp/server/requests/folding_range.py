"""`textDocument/foldingRange`: formatted straight to JSON, in slices, as a long document has many ranges."""

from collections.abc import Generator, Iterator
from itertools import islice

from lsprotocol import types

from ptx_lsp.features.folding_range import Fold, fold_steps
from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonParts, list_parts
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices, completed

_FOLDS_PER_STEP = 500


async def folding_range(server: Server, params: types.FoldingRangeParams) -> JsonParts | ErrorResult | None:
    """The folding ranges of a document, as JSON; an error if it is edited before they are complete."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        return await _in_host(server, host)
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    steps = _ranges(document, server.client.folds_lines, server.client.most_folds)
    return await answer_in_slices(server, document, steps)


async def _in_host(server: Server, document: OpenDocument) -> JsonParts | ErrorResult:
    """The folding ranges of templates in another language, once its analysis is complete."""
    from ptx_lsp.embedded.folding_range import folding_ranges

    if not await completed(server, document):
        return CONTENT_MODIFIED
    steps = folding_ranges(document.host_text, server.client.folds_lines)
    portions = ([_json(document, fold) for fold in folds] for folds in _first(steps, server.client.most_folds))
    return await answer_in_slices(server, document, list_parts(portions))


def _first(steps: Iterator[list[Fold]], most: int | None) -> Iterator[list[Fold]]:
    """The first folds of some steps, at most `most` (None: all)."""
    left = most
    for folds in steps:
        yield folds if left is None else folds[: max(0, left)]
        left = None if left is None else left - len(folds)


def _ranges(document: OpenDocument, whole_lines: bool, most: int | None) -> Generator[None, None, JsonParts]:
    found = yield from construct_steps(document.module.document)
    folds = yield from fold_steps(found, whole_lines, most)
    rest = iter(folds)
    portions = iter(lambda: [_json(document, fold) for fold in islice(rest, _FOLDS_PER_STEP)], [])
    return (yield from list_parts(portions))


def _json(document: OpenDocument, fold: Fold) -> str:
    begin = "" if fold.column < 0 else f',"startCharacter":{document.column(fold.line, fold.column)}'
    end = "" if fold.end_column < 0 else f',"endCharacter":{document.column(fold.end_line, fold.end_column)}'
    kind = f',"kind":"{fold.kind}"' if fold.kind else ""
    return f'{{"startLine":{fold.line}{begin},"endLine":{fold.end_line}{end}{kind}}}'
