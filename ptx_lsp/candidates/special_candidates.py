"""The special registers that an operand may name."""

from collections.abc import Callable

from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.isa.special_registers import SpecialRegister, special_registers

_USUAL = (
    *("%tid", "%ctaid", "%ntid", "%nctaid", "%laneid", "%clock64", "%clock", "%globaltimer", "%warpid", "%smid"),
    *("%lanemask_lt", "%gridid", "%nsmid", "%dynamic_smem_size", "%cluster_ctarank"),
)
_MOST_USUAL = 5
"""Registers that come before all others; of a vector, its first element, because it is no operand as a whole."""

_AXES = (".x", ".y", ".z")


def special_items(takes: Callable[[str], bool], word: str) -> list[Item]:
    """The special registers whose names begin with `word` and whose types fit, the usual ones first.

    A vector such as `%tid` is offered by its elements, and as a whole, to which a dot can be added. `takes` says
    whether a kind (`judgement.kinds`) fits.
    """
    known = special_registers()
    ordered = sorted(known.values(), key=lambda each: _USUAL.index(each.name) if each.name in _USUAL else len(_USUAL))
    whole: list[Item] = []
    elements: dict[str, list[Item]] = {axis: [] for axis in _AXES}
    for each in ordered:
        if not each.name.startswith(word.partition(".")[0]) or not takes(f"%{each.type}"):
            continue
        whole.append(Item(each.name, ItemKind.SPECIAL_REGISTER, _type(each)))
        for axis in _AXES if each.vector else ():
            elements[axis].append(Item(each.name + axis, ItemKind.SPECIAL_REGISTER, each.type, about=each.name))
    usual = [item.label for item in whole[:_MOST_USUAL]]
    first = [item for item in elements[".x"] if item.about in usual]
    others = [item for item in elements[".x"] if item.about not in usual]
    rest = [*whole[_MOST_USUAL:], *others, *elements[".y"], *elements[".z"]]
    scalars = [item for item in whole[:_MOST_USUAL] if item.label not in {each.about for each in first}]
    vectors = [item for item in whole[:_MOST_USUAL] if item not in scalars]
    return [*first, *scalars, *vectors, *rest]


def _type(register: SpecialRegister) -> str:
    return f".v4{register.type}" if register.vector else register.type
