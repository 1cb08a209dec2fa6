"""`textDocument/signatureHelp`."""

from collections.abc import Generator

from lsprotocol import types

from ptx_lsp.explanations.description import Prose
from ptx_lsp.features import signature_help as feature
from ptx_lsp.features.signature_help import Form, Signatures
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.markup import markup
from ptx_lsp.server.requests.positioned import found_inside
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import for_present_text


async def signature_help(server: Server, params: types.SignatureHelpParams) -> types.SignatureHelp | ErrorResult | None:
    """The forms of the instruction at a position; None outside of instructions.

    In the modifiers no operand is active: the index is then one that no form has.
    """
    found = await _found(server, params)
    if not isinstance(found, Signatures):
        return found
    most = max(len(form.parameters) for form in found.forms)
    active = found.operand if found.operand is not None else most
    forms = [_form(server, form, active) for form in found.forms]
    return types.SignatureHelp(forms, active_signature=found.active, active_parameter=active)


async def _found(server: Server, params: types.SignatureHelpParams) -> Signatures | ErrorResult | None:
    if (host := server.host_document(params.text_document.uri)) is not None:
        from ptx_lsp.embedded.signature_help import signature_help as forms_inside

        position = core_position(host, params.position)
        return await found_inside(server, host, position.line, lambda text: forms_inside(text, position))
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    return await for_present_text(server, document, lambda: _steps(document, params.position))


def _steps(document: OpenDocument, place: types.Position) -> Generator[None, None, Signatures | None]:
    return (yield from feature.signature_steps(document.module, core_position(document, place)))


def _form(server: Server, form: Form, active: int) -> types.SignatureInformation:
    """A form with the index of the active operand: without one, lsprotocol writes null, where no operand is active."""
    parameters = [
        types.ParameterInformation(
            (start, end) if server.client.parameter_offsets else form.label[start:end],
            _markup(server, meaning),
        )
        for start, end, meaning in form.parameters
    ]
    return types.SignatureInformation(form.label, _markup(server, form.meaning, *form.choices), parameters, active)


def _markup(server: Server, *texts: str) -> types.MarkupContent | None:
    parts = tuple(Prose(text) for text in texts if text)
    return markup(server.client, parts) if parts else None
