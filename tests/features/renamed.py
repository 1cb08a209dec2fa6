"""A text with other names."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.rename import rename
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.features.modules import in_body, marked
from tests.occurrences.counting import blanked, declarations, spans

DECLARATIONS = ".global .b32 g, h;\n.func twice(.param .b32 x);\n.func twice(.param .b32 x) { ret; }"


def replaced(module: Module, replacements: list[Edit]) -> str:
    """The text of a module with some replacements."""
    for each in sorted(replacements, reverse=True):
        module.document.edit(each.range, each.text)
    return module.document.whole()


def renamed(statements: str, new_name: str) -> str:
    """The body of a kernel after the symbol at `¦` got a new name."""
    module, position = marked(in_body(statements, DECLARATIONS))
    found = [each for some in rename(module, position, new_name) for each in some]
    return replaced(module, found).partition("%p<9>;\n")[2].removesuffix("\n\tret;\n}\n")


def every_third_renamed(text: str) -> tuple[str, int]:
    """The text with new names for every third register, family, member and label; how many were renamed."""
    module = analysed(text)
    plain = blanked(text)
    found: list[Edit] = []
    count = 0
    for number, each in enumerate(list(declarations(plain, spans(plain)))[::3]):
        place = Position(text.count("\n", 0, each.at), each.at - text.rfind("\n", 0, each.at) - 1)
        sign = "%" if each.name[0] == "%" else "$"
        found += (each for some in rename(module, place, f"{sign}renamed{number}_") for each in some)
        count += 1
    return replaced(module, found), count
