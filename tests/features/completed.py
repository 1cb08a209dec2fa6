"""What completion gives at a cursor, for tests."""

from ptx_lsp.candidates.completion_items import Completions, Item
from ptx_lsp.features.completion import completion
from tests.features.modules import in_body, marked

DECLARATIONS = """.global .align 4 .b32 counter;
.shared .align 16 .b8 tile[1024];
.extern .func (.param .b32 result) callee (.param .b64 first, .param .b32 second);
"""


def found_in(text: str) -> Completions | None:
    """What completion gives at the cursor."""
    module, position = marked(text)
    return completion(module, position)


def items(statement: str, version: str = "9.4", target: str = "sm_90a") -> tuple[Item, ...]:
    """The items at the cursor in the body of a kernel."""
    found = found_in(in_body(statement, DECLARATIONS, version, target))
    return found.items if found is not None else ()


def labels(statement: str, version: str = "9.4", target: str = "sm_90a") -> list[str]:
    """The labels of the items at the cursor in the body of a kernel, in order."""
    return [item.label for item in items(statement, version, target)]


def labels_in(text: str) -> list[str]:
    """The labels of the items at the cursor of a module, in order."""
    found = found_in(text)
    return [item.label for item in found.items] if found is not None else []
