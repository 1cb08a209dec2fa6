"""`workspace/executeCommand` with `ptx.evaluate`: the value of a constant expression."""

from typing import Any

from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features import evaluate as feature
from ptx_lsp.server.invalid_params import InvalidParamsError
from ptx_lsp.server.requests.feature_choices import choices
from ptx_lsp.server.server import Server


def evaluate(server: Server, *arguments: Any) -> dict[str, Any]:
    """The value of `{"text": "1 << 4"}`, or of `{"uri": ..., "range": ...}` in an open document.

    An empty range means the expression around it. In the result, `ok` is true if there is a value; then `type`, `value`
    (16 hex digits) and `text` describe it. Otherwise `error` says why not. `markdown` has either of them for people.
    """
    argument = arguments[0] if arguments else None
    if not isinstance(argument, dict):
        raise InvalidParamsError('`ptx.evaluate` takes {"text": ...} or {"uri": ..., "range": ...}')
    if isinstance(argument.get("text"), str):
        answer = feature.evaluate_text(argument["text"], choices(server.settings))
    else:
        document = server.document(str(argument.get("uri")))
        if document is None:
            raise InvalidParamsError("this document is not open")
        try:
            range_ = document.range(argument["range"])
        except (KeyError, TypeError) as error:
            raise InvalidParamsError("`range` is not a range") from error
        answer = feature.evaluate_range(document.module, range_, choices(server.settings_of(document.uri)))
    return answer.as_json() | {"markdown": render_parts(answer.parts, markdown=True)}
