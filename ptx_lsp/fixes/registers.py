"""Fixes for registers: an undeclared register, and a register beyond the end of its family."""

import re
from collections.abc import Generator, Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.accesses import distinct_uses, function_access
from ptx_lsp.fixes.declarations import declaration_edit, is_of_inner_block
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.fixes.verification import Site, declared_as, errors_in, site_steps
from ptx_lsp.isa.register_families import FAMILY_TYPES
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol
from ptx_lsp.syntax.tree import Address, Instruction, Operand, Value
from ptx_lsp.text.ranges import Range

# each with types that distinguish the slots of that width: integer slots, float slots, any slot
_BY_WIDTH = {
    16: ((".s16", ".b16"), (".f16", ".f16"), (".b16", ".b16")),
    32: ((".s32", ".b32"), (".f32", ".f32"), (".b32", ".b32")),
    64: ((".s64", ".b64"), (".f64", ".f64"), (".b64", ".b64")),
    128: ((".b128", ".b128"),),
    8: ((".s8", ".b8"), (".b8", ".b8")),
}
_PREDICATE = ((".pred", ".pred"),)
_LARGEST_FAMILY = 100_000  # registers
MOST_NAMES = 50
"""At most this many names of a family are examined."""


def declare_register(finding: Finding, module: Module) -> Iterator[Fix | None]:
    """A `.reg` for the name, or for its family, of the type that fits all its uses in the function.

    It is safe if the function reads and writes the name: a name that is only read, or only written, may be a typo.
    """
    name = finding.data.get("name", "")
    type_ = yield from _type_of_uses(name, finding, module)
    yield None
    what = _family(finding, module) or name
    yield None
    edit = declaration_edit(f".reg {type_} {what};", name, type_, finding, module) if type_ else None
    if edit is not None:
        yield None
        places = [finding.range, *(related.range for related in finding.related)]
        safety, doubt = yield from _safety(places, finding, module)
        if safety is Safety.SAFE and is_of_inner_block(name, finding, module) and _lacks_several(finding, module):
            safety, doubt = Safety.UNSAFE, ", though its block may have declared other names, too"
        yield Fix(f"declare `.reg {type_} {what};`{doubt}", (edit,), safety)


def raise_count(finding: Finding, module: Module) -> Iterator[Fix | None]:
    """A higher N in `%r<N>`: the lowest one that is enough for all uses in the function."""
    family, count = finding.data.get("family", ""), finding.data.get("count", "")
    if not finding.related or not count:
        return
    start = finding.related[0].range
    declaration = module.statement_at(start.start)
    if declaration is None:
        return
    first = declaration.offset(start.start)
    found = re.compile(re.escape(family) + r"\s*<\s*(\w+)\s*>").match(declaration.text, first)
    if found is not None:
        edit = Edit(declaration.range(*found.span(1)), count)
        places = [finding.range, *(related.range for related in finding.related[1:])]
        safety, doubt = yield from _safety(places, finding, module)
        yield Fix(f"raise `{family}<{found[1]}>` to `{family}<{count}>`{doubt}", (edit,), safety)


def _safety(places: list[Range], finding: Finding, module: Module) -> Generator[None, None, tuple[Safety, str]]:
    """The safety of a declaration of the names at these places, and the end of the title if it is not safe.

    It is safe if all of them are written and one of them is read.
    """
    names = list(dict.fromkeys(module.document.text(place) for place in places))
    found = []
    for name in names[:MOST_NAMES]:
        found.append(function_access(name, finding, module))
        yield
    unwritten = next((name for name, access in zip(names, found, strict=False) if not access.written), "")
    if unwritten:
        return Safety.UNSAFE, f", though nothing writes `{unwritten}`"
    if not any(access.read for access in found):
        return Safety.UNSAFE, f", though nothing reads `{names[0]}`"
    return Safety.SAFE, ""


def _lacks_several(finding: Finding, module: Module) -> bool:
    """Whether the inner block of the finding uses other names that nothing declares.

    Then its whole declaration may have been lost, and a name that was on that list now means a register of the
    function.
    """
    opening = _opening(finding, module)
    others = (f for f in module.findings() if f.code == "undeclared" and f.data.get("name") != finding.data.get("name"))
    return any(_opening(other, module) == opening for other in others)


def _opening(finding: Finding, module: Module) -> Range | None:
    """The brace that opens the innermost block around the finding."""
    context = module.statement_at(finding.range.start)
    opening = context.surroundings.scope.opening if context is not None else None
    return opening.resolved() if opening is not None else None


def _family(finding: Finding, module: Module) -> str:
    """`%r<N>` if several members of an undeclared family are used, and none is declared alone; else nothing."""
    highest = finding.data.get("highest", "")
    name = finding.data.get("name", "")
    stem = highest.rstrip(DIGITS)
    digits = highest[len(stem) :]
    alone = highest == name and not finding.related
    if not digits or len(digits) > 9 or alone or int(digits) >= _LARGEST_FAMILY:
        return ""
    context = module.statement_at(finding.range.start)
    scopes = context.surroundings.scope.outward() if context is not None else ()
    if any(member != stem and member.rstrip(DIGITS) == stem for scope in scopes for member in scope.members):
        return ""
    return f"{stem}<{int(digits) + 1}>"


def _type_of_uses(name: str, finding: Finding, module: Module) -> Generator[None, None, str]:
    """The first type with which every use of the name or its family is correct; empty if no type fits."""
    places = [finding.range, *(related.range for related in finding.related)]
    stem = name.rstrip(DIGITS)
    pattern = re.escape(stem) + r"\d+" if _family(finding, module) else re.escape(name)
    found = distinct_uses(pattern, finding, module, is_pattern=True, undeclared=True)
    yield
    uses = [use for place in places if (use := _use(place, module)) is not None]
    yield
    uses += [(use.text, use.located) for use in found]
    if not uses:
        return ""
    names = {name} | {module.document.text(place) for place in places} | {use.name for use in found}
    before = [errors_in(text, located) for text, located in uses]
    site = yield from site_steps(finding, module)
    for tried, declared in _candidates(finding, site):
        symbols = [declared_as(each, tried, finding) for each in names]
        after = [errors_in(text, with_symbols(located, symbols)) for text, located in uses]
        if all(now < then for now, then in zip(after, before, strict=True)):
            return declared
    return ""


def _use(place: Range, module: Module) -> tuple[str, StatementContext] | None:
    located = module.statement_at(place.start)
    if located is None or not isinstance(located.statement, Instruction):
        return None
    return located.text[located.statement.start : located.statement.end], located


def with_symbols(located: StatementContext, symbols: list[Symbol]) -> StatementContext:
    """The same statement with these symbols declared above it."""
    scope = Scope(located.surroundings.scope)
    for symbol in symbols:
        scope.declare(symbol)
    return located._replace(surroundings=located.surroundings._replace(scope=scope))


def _candidates(finding: Finding, site: Site | None) -> Iterator[tuple[str, str]]:
    """Types to try, each with the type to declare, the most likely first. An address has the module's address size."""
    width = 32
    if site is not None and isinstance(site.located.statement, Instruction):
        opcode = site.located.statement.text
        widths = [int(found) for found in re.findall(r"\.[bsuf](8|16|32|64|128)(?![0-9x])", opcode)]
        width = max(widths[-1], 16) if widths else 32
        if any(_inside(part, site.located, finding.range) for part in _addresses(site.located.statement)):
            width = site.located.surroundings.profile.address_size
    order = sorted(_BY_WIDTH, key=lambda each: (each != width, each < 16, each))
    usual = FAMILY_TYPES.get(finding.data.get("name", "").rstrip(DIGITS))
    if usual is not None:
        yield usual, usual
    yield from _PREDICATE
    for each in order:
        yield from _BY_WIDTH[each]


def _addresses(statement: Instruction) -> list[Operand]:
    return [part for operand in statement.operands if isinstance(operand, Address) for part in operand.parts[:1]]


def _inside(part: Operand, located: StatementContext, place: Range) -> bool:
    offset = located.offset(place.start)
    return isinstance(part, Value) and part.start <= offset < part.end
