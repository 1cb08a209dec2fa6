"""Directives that declare no variable: pragmas, aliases, lists of targets, and directives in a wrong place.

Rules observed: ptxas 13.5.
"""

from ptx_lsp.isa.directive_names import BRANCH_TARGETS, LOCATION, SECTION
from ptx_lsp.isa.opcode_sets import MOST_TARGETS
from ptx_lsp.light_classes import Callable
from ptx_lsp.semantics.debug import check_file, check_loc, check_section, section_word
from ptx_lsp.semantics.header_differences import signature_difference
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.redeclarations import ALIAS, earlier, labels_above
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import FUNCTION_KINDS, Symbol, SymbolKind
from ptx_lsp.syntax.tree import Directive, NameList, Section, Word

_IN_MODULE = frozenset((".file", ".pragma", ".alias", SECTION))
_IN_BODY = frozenset((LOCATION, ".loc_intermediate", ".pragma", ".alias"))


def directive(statement: Directive | NameList | Section, surroundings: Surroundings) -> tuple[Symbol, ...]:
    """Report what is wrong with a directive; return its symbols, which the caller declares in the scope.

    The symbol of a list of targets is its label, that of an alias the function that it defines, and that of `.file` its
    number, under a name that no other symbol can have. `structure.py` reads `.version`, `.target` and `.address_size`.
    """
    if isinstance(statement, NameList):
        return _check_list(statement, surroundings)
    if isinstance(statement, Section):
        return _check_section(statement, surroundings)
    name = statement.name
    check = _CHECKS.get(name.text)
    if _wrong_place(name, surroundings) or check is None:
        return ()
    return check(statement, surroundings)


def _wrong_place(name: Word, surroundings: Surroundings) -> bool:
    """Whether a directive is in a wrong place, or is unknown; report it."""
    inside = surroundings.function is not None
    allowed, other = (_IN_BODY, _IN_MODULE) if inside else (_IN_MODULE, _IN_BODY)
    if name.text in allowed:
        return False
    # imported here and below, as few modules have a wrong directive or a pragma
    from ptx_lsp.semantics.performance import LANGUAGE, TUNINGS, unknown_directive

    message = ""
    if name.text in TUNINGS or name.text == LANGUAGE:
        message = f"`{name.text}` must be in a function's header, between the parameters and the body"
    elif name.text in other:
        message = f"`{name.text}` belongs {'outside of' if inside else 'inside'} functions"
    if message:
        surroundings.report("misplaced-directive", name.start, name.end, message)
    else:
        unknown_directive(name, allowed, "here", surroundings)
    return True


def _check_section(section: Section, surroundings: Surroundings) -> tuple[Symbol, ...]:
    if surroundings.function is not None:
        word = section_word(section)
        end = section.start + len(word)
        surroundings.report("misplaced-directive", section.start, end, f"`{word}` must be outside of functions")
        return ()
    return check_section(section, surroundings)


def _check_pragma(statement: Directive, surroundings: Surroundings) -> tuple[Symbol, ...]:
    from ptx_lsp.semantics.performance import check_pragma

    check_pragma(statement, surroundings, in_body=surroundings.function is not None)
    return ()


def _check_list(statement: NameList, surroundings: Surroundings) -> tuple[Symbol, ...]:
    kind, label = statement.kind, statement.label
    if surroundings.function is None:
        surroundings.report("misplaced-directive", kind.start, kind.end, f"`{kind.text}` must be inside a function")
        return ()
    require(kind.text, kind.start, kind.end, surroundings)
    targets = _targets(statement, surroundings)
    wrong = -1  # the place of a target that has been reported, perhaps a family
    for name in targets:
        if kind.text == BRANCH_TARGETS:
            if label is not None and name.text == label.text:
                continue  # the name of the list is a label too, for ptxas
            surroundings.note_label_use(name.text, name.start, name.end)
        elif name.start != wrong and not _check_target(name, surroundings):
            wrong = name.start
    if label is None:
        message = f"`{kind.text}` needs a label before it, by which a branch or call names the list"
        surroundings.report("target-list", kind.start, kind.end, message)
        return ()
    first = _first_of(label, surroundings)
    if first is not None:
        message = f"`{label.text}` is declared already in this scope"
        related = ((first.mark, "the first declaration is here"),)
        surroundings.report("duplicate-declaration", label.start, label.end, message, related=related)
    mark = surroundings.mark(label.start, label.end)
    names = tuple(name.text for name in targets)
    return (Symbol(label.text, SymbolKind.TARGETS, mark, type=kind.text, names=names),)


def _targets(statement: NameList, surroundings: Surroundings) -> list[Word]:
    """The names of a list, with the members of its families, each at the place of its family."""
    targets: list[Word] = []
    for name, count in zip(statement.names, statement.counts, strict=True):
        if count is None:
            targets.append(name)
        else:
            number = literal(count, "the number of names", surroundings) or 0
            targets += [name._replace(text=f"{name.text}{member}") for member in range(min(number, MOST_TARGETS + 1))]
    return targets


def _first_of(label: Word, surroundings: Surroundings) -> Symbol | None:
    here = Symbol(label.text, SymbolKind.TARGETS, surroundings.mark(label.start, label.end))
    others = earlier(surroundings.scope, label.text) + labels_above(here, surroundings.scope)
    return others[0] if others else surroundings.scope.own(label.text)


def _check_target(name: Word, surroundings: Surroundings) -> bool:
    """Whether a target of calls is a function; reported if not."""
    symbol = surroundings.scope.lookup(name.text)
    if symbol is not None and symbol.kind in FUNCTION_KINDS:
        return True
    if symbol is None:
        message = f"no function `{name.text}` is declared above this list"
        surroundings.report("target-list", name.start, name.end, message)
        return False
    related = ((symbol.mark, f"`{symbol.name}` is declared here"),)
    message = f"`{name.text}` is not a function: `.calltargets` lists functions"
    surroundings.report("target-list", name.start, name.end, message, related=related)
    return False


def _check_alias(statement: Directive, surroundings: Surroundings) -> tuple[Symbol, ...]:
    """Check `.alias f, g;`, which gives the declared function `f` the body of `g`."""
    require(".alias", statement.name.start, statement.name.end, surroundings)
    names = [argument for argument in statement.arguments if isinstance(argument, Word)]
    if len(names) != 2:
        return ()
    alias = _aliased(names[0], surroundings)
    aliasee = _aliased(names[1], surroundings) if alias is not None else None
    if alias is None or aliasee is None:
        return ()
    problem, at = _alias_problem(names, alias, aliasee, surroundings)
    if problem:
        related = tuple((s.mark, f"`{s.name}` is declared here") for s in (alias, aliasee))
        surroundings.report("alias", at.start, at.end, problem, related=related)
    mark = surroundings.mark(names[0].start, names[0].end)
    return (Symbol(ALIAS + alias.name, SymbolKind.FUNCTION, mark, names=(aliasee.name,)),)


def _aliased(name: Word, surroundings: Surroundings) -> Symbol | None:
    symbol = surroundings.scope.lookup(name.text)
    if symbol is None:
        message = f"no function `{name.text}` is declared above this line"
        surroundings.report("undeclared-function", name.start, name.end, message, data={"name": name.text})
        return None
    if symbol.kind is SymbolKind.FUNCTION:
        return symbol
    what = "a kernel" if symbol.kind is SymbolKind.ENTRY else "no function"
    message = f"`{name.text}` is {what}, and an alias joins two functions (`.func`)"
    related = ((symbol.mark, f"`{symbol.name}` is declared here"),)
    surroundings.report("alias", name.start, name.end, message, related=related)
    return None


def _alias_problem(names: list[Word], alias: Symbol, aliasee: Symbol, surroundings: Surroundings) -> tuple[str, Word]:
    first, second = names
    if alias.name == aliasee.name:
        return f"`{alias.name}` cannot be an alias of itself", second
    if surroundings.scope.lookup(ALIAS + alias.name) is not None:
        return f"`{alias.name}` is an alias already", first
    if any(other.defined for other in _module_symbols(alias.name, surroundings)):
        return f"`{alias.name}` has a body of its own, so it cannot be an alias", first
    if aliasee.linkage in (".extern", ".weak"):
        return f"`{aliasee.name}` is `{aliasee.linkage}`, and such a function cannot have an alias", second
    if alias.signature is not None and aliasee.signature is not None:
        difference = signature_difference(alias.signature, aliasee.signature)
        if difference is not None:
            return f"`{alias.name}` and `{aliasee.name}` are declared differently: {difference.clause}", first
    return "", first


def _module_symbols(name: str, surroundings: Surroundings) -> list[Symbol]:
    *_, scope_of_module = surroundings.scope.outward()
    return earlier(scope_of_module, name)


def _check_loc(statement: Directive, surroundings: Surroundings) -> tuple[Symbol, ...]:
    check_loc(statement, surroundings)
    return ()


_CHECKS: dict[str, Callable[[Directive, Surroundings], tuple[Symbol, ...]]] = {
    ".pragma": _check_pragma,
    ".alias": _check_alias,
    ".file": check_file,
    LOCATION: _check_loc,
    ".loc_intermediate": _check_loc,
}
