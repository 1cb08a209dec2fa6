"""Headers of kernels, functions and prototypes: parameters, results, and conflicts with earlier headers.

Rules observed: ptxas 13.5.
"""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import ENTRY, FUNC, HIDDEN, OF_PARAMETERS, PROTOTYPE
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.nearest_word import guess
from ptx_lsp.semantics.declarations import (
    DeclarationPlace,
    build_symbol,
    check_parameter_alignment,
    check_storage,
)
from ptx_lsp.semantics.header_differences import difference, place_of
from ptx_lsp.semantics.launch import launch_of
from ptx_lsp.semantics.memory import ONCE_LARGE, parameter_bytes, parameter_limit
from ptx_lsp.semantics.redeclarations import earlier, labels_above
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.specifiers import Traits, after_hidden, check_attribute_numbers, read_specifiers
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import FUNCTION_KINDS, UNBOUNDED, Signature, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import RESERVED, is_reserved
from ptx_lsp.syntax.tree import Declaration, Declarator, FunctionHeader, Specifier, Word

_KINDS = {ENTRY: SymbolKind.ENTRY, FUNC: SymbolKind.FUNCTION, PROTOTYPE: SymbolKind.PROTOTYPE}
_SPACES = {
    DeclarationPlace.KERNEL: (".param",),
    DeclarationPlace.FUNCTION: OF_PARAMETERS,
    DeclarationPlace.RESULT: OF_PARAMETERS,
}
"""The state spaces of parameters and results."""


def header(
    statement: FunctionHeader, surroundings: Surroundings, broken: bool = False
) -> tuple[Symbol, tuple[Symbol, ...]]:
    """Report mistakes in a header, and conflicts with earlier headers of the same name.

    Returns the symbol of the kernel, function or prototype, with its signature, and the parameters, which the caller
    declares in its body. A `broken` header has a symbol too, with which every call agrees; the symbol of a header
    without a name has an empty name.
    """
    kind = statement.kind.text
    if kind == ENTRY and statement.returns is not None:
        kind = FUNC  # an `.entry` with results, which is reported, counts as `.func`, so that its calls are right
    reported = len(surroundings.reports)
    linkage = _linkage(statement, surroundings)
    before = len(surroundings.reports)
    returns = _parameters(statement, statement.returns, DeclarationPlace.RESULT, surroundings)
    place = DeclarationPlace.KERNEL if kind == ENTRY else DeclarationPlace.FUNCTION
    parameters = _parameters(statement, statement.parameters, place, surroundings)
    broken |= len(surroundings.reports) > before
    _check_results(statement, returns, surroundings)
    _check_unsized(statement, parameters, surroundings)
    if kind == PROTOTYPE:
        _check_prototype(statement, surroundings)
    noreturn = any(directive.name.text == ".noreturn" for directive in statement.directives)
    launch = launch_of({d.name.text: d for d in reversed(statement.directives)}) if kind == ENTRY else UNBOUNDED
    unknown = broken or is_nameless(statement)
    signature = Signature(tuple(returns), tuple(parameters), noreturn, unknown, launch)
    name = statement.label if kind == PROTOTYPE else statement.name
    shown: Word = name or statement.kind
    symbol = Symbol(
        name.text if name else "",
        _KINDS.get(kind, SymbolKind.FUNCTION),
        surroundings.mark(shown.start, shown.end),
        linkage=linkage,
        defined=statement.body,
        signature=signature,
    )
    if name is not None:
        symbol = _check_name(statement, name, symbol, surroundings)
    _check_kernel(statement, symbol, surroundings)
    if not any(report.code == "parameter-pointer" for report in surroundings.reports[reported:]):
        # otherwise it is an `.entry` with results, which is reported. Imported here, as a recogniser reads most headers
        from ptx_lsp.semantics.performance import check_directives

        check_directives(statement, symbol, surroundings)
    return symbol, tuple(returns) + tuple(parameters)


def is_nameless(statement: FunctionHeader) -> bool:
    """Whether a parameter or result of a header has no name."""
    return any(not d.declarators for d in (*(statement.returns or ()), *(statement.parameters or ())))


def _linkage(statement: FunctionHeader, surroundings: Surroundings) -> str:
    words = [specifier.word for specifier in statement.linkage if specifier.start < statement.kind.start]
    for specifier in statement.linkage[len(words) :]:
        _check_late(specifier, statement, surroundings)
    unknown = next((word for word in words if word.text not in LINKAGES), None)
    if unknown is not None:
        _unknown_linkage(unknown, surroundings)
        return UNKNOWN
    for word in words[1:]:
        message = f"`{word.text}` after `{words[0].text}`: a function has one linkage only"
        surroundings.report("linkage", word.start, word.end, message)
        break
    if not words:
        return ""
    first = words[0]
    if first.text == ".common":
        surroundings.report("linkage", first.start, first.end, "`.common` is for variables, not for functions")
        return UNKNOWN
    require(first.text, first.start, first.end, surroundings)
    if first.text == ".extern" and statement.body and len(words) == 1:
        message = "`.extern` says that the function is defined elsewhere, but here is its body"
        surroundings.report("extern-definition", first.start, first.end, message)
        return UNKNOWN
    return first.text


def _unknown_linkage(word: Word, surroundings: Surroundings) -> None:
    meant, data = guess(word.text, LINKAGES)
    message = f"`{word.text}` is not a word that can precede a function{meant}"
    severity = None if surroundings.profile.known else Severity.INFORMATION
    surroundings.report("unknown-specifier", word.start, word.end, message, severity=severity, data=data)


def _check_late(specifier: Specifier, statement: FunctionHeader, surroundings: Surroundings) -> None:
    """Report every specifier after `.func` except `.attribute(.unified(...))`."""
    word, kind = specifier.word, statement.kind.text
    if word.text != ".attribute":
        message = f"`{word.text}` cannot follow `{kind}`"
        if word.text in TYPE_WORDS or word.text in OF_PARAMETERS:
            message = f"a function's result is declared in parentheses after `{kind}`, as in `(.param .b32 result)`"
        surroundings.report("declaration-order", word.start, word.end, message)
        return
    names = [argument for argument in specifier.arguments if isinstance(argument, Word)]
    for name in names:
        if name.text.startswith(".") and name.text != ".unified":
            message = f"`{name.text}` is not an attribute of functions: only `.unified` is"
            surroundings.report("attribute", name.start, name.end, message)
            return
    if len(names) > 1:
        message = "a function has one `.unified` attribute only"
        surroundings.report("attribute", names[1].start, names[1].end, message)
        return
    require(".unified", word.start, word.end, surroundings)
    check_attribute_numbers(specifier, surroundings)


def _parameters(
    statement: FunctionHeader,
    declarations: tuple[Declaration, ...] | None,
    place: DeclarationPlace,
    surroundings: Surroundings,
) -> list[Symbol]:
    found = []
    reported = False  # `.entry` in place of `.func`, or the reverse, is one mistake, not one for each parameter
    for declaration in declarations or ():
        of_kernel = place is DeclarationPlace.KERNEL or statement.kind.text == PROTOTYPE
        specifiers, misplaced_hidden = after_hidden(declaration.specifiers, surroundings, allowed=of_kernel)
        traits = read_specifiers(specifiers, surroundings)
        for declarator in declaration.declarators:
            symbol = _parameter(statement, declaration, declarator, traits, place, surroundings)
            misplaced = traits.space is not None and traits.space.text not in _SPACES[place]
            found.append(symbol.changed(space="", type="") if misplaced else symbol)
        if traits.broken or reported or misplaced_hidden or not declaration.declarators:
            continue  # the parser has reported a missing name
        reported = _wrong_space(declaration, traits, place, surroundings)
        if not reported and statement.kind.text != PROTOTYPE:
            reported = _wrong_pointer(traits, place, surroundings)
        if not reported:
            check_storage(traits, place, declaration, surroundings, prototype=not statement.body)
    _check_twins(statement, declarations, found, surroundings)
    return found


def _parameter(
    statement: FunctionHeader,
    declaration: Declaration,
    declarator: Declarator,
    traits: Traits,
    place: DeclarationPlace,
    surroundings: Surroundings,
) -> Symbol:
    name = declarator.name
    nameless = name.text == "_" and (place is DeclarationPlace.KERNEL or statement.kind.text == PROTOTYPE)
    if nameless:
        declarator = declarator._replace(name=Word("", name.start, name.end))
    symbol = build_symbol(declarator, traits, place, surroundings)
    if declarator.members is not None:
        symbol = symbol.changed(count=None)  # the parser has reported it
    elif len(declarator.dimensions) > 1:
        second = declarator.dimensions[1]
        message = "an array parameter has one dimension"
        surroundings.report("parameter-form", second.start, second.end, message)
    elif symbol.space == ".reg" and symbol.dimensions and statement.body:
        message = f"registers have no arrays: pass `{name.text}` in `.param`"
        surroundings.report("register-array", declarator.dimensions[0].start, declarator.end, message)
        symbol = symbol.changed(dimensions=())
    elif symbol.space == ".reg" and symbol.dimensions == (0,):
        message = f"`{name.text}` needs a size: only arrays in `.param` can leave it open"
        surroundings.report("unsized-parameter", declaration.start, declaration.end, message)
    for attribute in traits.attributes:
        message = f"`{attribute.text}` is for `.global` variables, and this is a parameter"
        surroundings.report("attribute", attribute.start, attribute.end, message)
    if place is not DeclarationPlace.KERNEL and symbol.space == ".param" and statement.body:
        check_parameter_alignment(traits, surroundings)
        symbol = symbol.changed(alignment=traits.alignment)
    return symbol


def _wrong_space(declaration: Declaration, traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> bool:
    """Whether a parameter cannot be in the given state space; report it."""
    word = traits.space
    allowed = _SPACES[place]
    if word is None:
        words = (specifier.word for specifier in declaration.specifiers if specifier.word.text != HIDDEN)
        first = next(words, Word("", declaration.start, declaration.end))
        message = f"a parameter needs a state space: {' or '.join(f'`{space}`' for space in allowed)}"
        data = {} if not first.text else {"meant": f".param {first.text}", "safe": "yes"}
        surroundings.report("parameter-space", first.start, first.end, message, data=data)
        return True
    if word.text not in allowed:
        message = f"parameters must be in `.param` or `.reg`, not in `{word.text}`"
        if place is DeclarationPlace.KERNEL:
            message = f"a kernel's parameters must be in `.param`, not in `{word.text}`"
        surroundings.report("parameter-space", word.start, word.end, message)
        return True
    before = len(surroundings.reports)
    if place is not DeclarationPlace.KERNEL and word.text == ".param":
        require("a `.param` parameter of a function", word.start, word.end, surroundings)
    return len(surroundings.reports) > before


def _wrong_pointer(traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> bool:
    """Whether a parameter of a function has `.ptr` or an alignment after its type; report it."""
    if traits.pointer is None or place is DeclarationPlace.KERNEL:
        return False
    word = traits.pointer.word
    message = f"`{word.text}` after the type is for parameters of kernels only"
    surroundings.report("parameter-pointer", word.start, word.end, message)
    return True


def _check_twins(
    statement: FunctionHeader,
    declarations: tuple[Declaration, ...] | None,
    symbols: list[Symbol],
    surroundings: Surroundings,
) -> None:
    """Report parameters and results of the same name: an error if there is a body that could name them."""
    if not statement.body:
        return
    seen: dict[str, Symbol] = {}
    if declarations is not statement.returns:
        for declaration in statement.returns or ():
            for declarator in declaration.declarators:
                name = declarator.name
                seen[name.text] = Symbol(name.text, SymbolKind.PARAMETER, surroundings.mark(name.start, name.end))
    names = [declarator.name for declaration in declarations or () for declarator in declaration.declarators]
    for symbol, name in zip(symbols, names, strict=True):
        first = seen.setdefault(symbol.name, symbol)
        if first is not symbol and symbol.name:
            surroundings.report(
                "duplicate-declaration",
                name.start,
                name.end,
                f"`{name.text}` names two parameters",
                related=((first.mark, "the first one is here"),),
                data={"name": name.text},
            )


def _check_prototype(statement: FunctionHeader, surroundings: Surroundings) -> None:
    kind = statement.kind
    if surroundings.function is None:
        message = "`.callprototype` must be inside a function, above the calls that name it"
        surroundings.report("misplaced-directive", kind.start, kind.end, message)
        return
    require(PROTOTYPE, kind.start, kind.end, surroundings)
    if statement.label is None:
        message = "`.callprototype` needs a label before it, by which a call names it"
        surroundings.report("call-prototype", kind.start, kind.end, message)


def _check_results(statement: FunctionHeader, returns: list[Symbol], surroundings: Surroundings) -> None:
    declarations = statement.returns or ()
    in_memory = [d for d, s in zip(declarations, returns, strict=False) if s.space == ".param"]
    if len(returns) > 1 and in_memory:
        first = in_memory[0]
        message = "of several results each must be a `.reg`; only a single one can be a `.param`"
        surroundings.report("return-parameters", first.start, first.end, message)
    for declaration, symbol in zip(declarations, returns, strict=False):
        if symbol.dimensions[:1] == (0,):
            message = f"`{symbol.name}` needs a size: only the last parameter of a function can leave it open"
            surroundings.report("unsized-parameter", declaration.start, declaration.end, message)


def _check_unsized(statement: FunctionHeader, parameters: list[Symbol], surroundings: Surroundings) -> None:
    declarations = statement.parameters or ()
    for index, (declaration, symbol) in enumerate(zip(declarations, parameters, strict=False)):
        if symbol.dimensions[:1] != (0,) or symbol.space != ".param":
            continue
        message = ""
        if statement.kind.text == ENTRY:
            message = f"`{symbol.name}` needs a size: a kernel's parameters are laid out when it is launched"
        elif index + 1 < len(parameters):
            message = f"`{symbol.name}` needs a size: only the last parameter can leave it open"
        if message:
            surroundings.report("unsized-parameter", declaration.start, declaration.end, message)
        else:
            require("an unsized array parameter", declaration.start, declaration.end, surroundings)


def _check_kernel(statement: FunctionHeader, symbol: Symbol, surroundings: Surroundings) -> None:
    if statement.kind.text != ENTRY:
        return
    name = statement.name or statement.kind
    if statement.parameters:
        first = statement.parameters[0]
        require("a kernel parameter list", first.start, first.end, surroundings)
    if not statement.body:
        require("a kernel declared without a body", name.start, name.end, surroundings)
        return
    size = parameter_bytes(symbol)
    limit = parameter_limit(surroundings.profile.version)
    if size > limit:
        message = f"the parameters of `{symbol.name}` take {size} bytes, and {limit} is the most"
        surroundings.report("parameter-limit", name.start, name.end, message)
    elif size > ONCE_LARGE:
        require("more than 4352 bytes of kernel parameters", name.start, name.end, surroundings)


def _check_name(statement: FunctionHeader, name: Word, symbol: Symbol, surroundings: Surroundings) -> Symbol:
    is_prototype = symbol.kind is SymbolKind.PROTOTYPE
    if name.text in RESERVED if is_prototype else is_reserved(name.text):
        what = "label" if is_prototype else "function"
        surroundings.report("reserved-name", name.start, name.end, f"`{name.text}` cannot be the name of a {what}")
        return symbol
    others = earlier(surroundings.scope, symbol.name)
    if symbol.kind is SymbolKind.PROTOTYPE:
        others += labels_above(symbol, surroundings.scope)
        member = surroundings.scope.own(symbol.name)
        others += [member] if member is not None and not others else []
    if not others:
        return symbol
    last = others[-1]
    if symbol.kind is SymbolKind.PROTOTYPE or last.kind not in FUNCTION_KINDS:
        what = "label" if last.kind is SymbolKind.LABEL else last.kind.value
        _conflict("duplicate-declaration", name, f"`{symbol.name}` is a {what} already", last, surroundings)
        return symbol
    if last.kind is not symbol.kind:
        message = f"`{symbol.name}` is a {last.kind.value} already, and cannot be a {symbol.kind.value} too"
        kind = Word(symbol.name, statement.kind.start, statement.kind.end)
        _conflict("inconsistent-prototype", kind, message, last, surroundings)
        return symbol
    defined = next((other for other in others if other.defined), None)
    if defined is not None:
        message = f"`{symbol.name}` is defined already"
        _conflict("duplicate-definition", name, message, defined, surroundings)
        return symbol
    _check_agreement(statement, symbol, last, surroundings)
    return symbol if symbol.linkage else symbol.changed(linkage=last.linkage)


def _check_agreement(statement: FunctionHeader, symbol: Symbol, last: Symbol, surroundings: Surroundings) -> None:
    """Report the first difference between a header and the earlier one of the same name."""
    found = difference(symbol, last)
    if found is not None:
        message = f"`{symbol.name}` differs from its declaration above: {found.clause}"
        part = Word(symbol.name, *place_of(found, statement))
        _conflict("inconsistent-prototype", part, message, last, surroundings)


def _conflict(code: str, name: Word, message: str, other: Symbol, surroundings: Surroundings) -> None:
    related = ((other.mark, f"`{other.name}` is defined here first"),)
    surroundings.report(code, name.start, name.end, message, related=related, data={"name": name.text})
