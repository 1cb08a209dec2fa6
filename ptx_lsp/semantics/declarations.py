"""The symbols that a declaration of variables or registers declares, and the mistakes in it.

Rules observed: ptxas 13.5, version by version; the manual's section on variables and its table of fundamental types.
"""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import INITIALISED, SEPARATE_SAMPLERS
from ptx_lsp.isa.types import TEXTURE, Type
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import Enum
from ptx_lsp.semantics.constant_banks import check_bank
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.memory import check_memory
from ptx_lsp.semantics.missing_opcodes import reports_missing_opcode
from ptx_lsp.semantics.redeclarations import check_names
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.specifiers import UNKNOWN_ALIGNMENT, Traits, read_specifiers
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.names import names_in_items
from ptx_lsp.syntax.plain_text import RESERVED
from ptx_lsp.syntax.tree import Declaration, Declarator, Word
from ptx_lsp.syntax.values import UNIFIED

_OF_TYPE = frozenset(
    ("declaration-order", "declaration-type", "declaration-vector", "unknown-directive", "unknown-specifier")
)
"""What is wrong with a declaration whose names may have been meant to have another type or space."""
_ABI = Version(3, 0)  # since this version, a module has no registers and no local memory of its own
_PARAMETER_LISTS = Version(1, 4)
_LOCAL_PARAMETERS = Version(2, 0)
_NO_TEX = Version(1, 5)
_TEX_TYPES = (".u32", ".u64")  # of a variable in the `.tex` space, which is a texture
VECTOR_BITS = 128  # of the widest vector
PARAMETER_ALIGNMENT = 128  # bytes: the largest alignment of a parameter of a function or of a call
UNKNOWN_COUNT = 1 << 31  # the count of `%r<N>` if N is broken: every member counts as declared


class DeclarationPlace(Enum):
    """Where a declaration is."""

    MODULE = "at the top of a module"
    BODY = "in a function"
    KERNEL = "in a kernel's parameter list"
    FUNCTION = "in a function's parameter list"
    RESULT = "in a function's list of results"


PARAMETER_PLACES = (DeclarationPlace.KERNEL, DeclarationPlace.FUNCTION, DeclarationPlace.RESULT)


def declare(declaration: Declaration, surroundings: Surroundings) -> tuple[Symbol, ...]:
    """Report the mistakes in a declaration; return its symbols.

    A name that is declared wrongly has a symbol too, with an empty `type` if that is unknown, so that its uses give no
    further reports. The caller declares the symbols in the scope.
    """
    if reports_missing_opcode(declaration, surroundings):
        return ()
    place = DeclarationPlace.BODY if surroundings.function is not None else DeclarationPlace.MODULE
    traits, doubtful = _traits(declaration, place, surroundings)
    symbols = []
    for declarator in declaration.declarators:
        symbol = build_symbol(declarator, traits, place, surroundings)
        symbol = _complete(declarator, symbol, traits, surroundings)
        symbols.append(symbol)
    if doubtful:  # perhaps this was not meant to be a declaration: then its names are those of others
        return tuple(symbol for symbol in symbols if surroundings.scope.lookup(symbol.name) is None)
    check_names(tuple(symbols), declaration.declarators, surroundings)
    return tuple(symbols)


def _traits(declaration: Declaration, place: DeclarationPlace, surroundings: Surroundings) -> tuple[Traits, bool]:
    """The specifiers of a declaration, and whether they have a mistake, which is reported."""
    reported = len(surroundings.reports)
    traits = read_specifiers(declaration.specifiers, surroundings)
    check_storage(traits, place, declaration, surroundings)
    found = surroundings.reports[reported:]
    doubtful = any(report.severity is Severity.ERROR for report in found)
    traits.broken |= doubtful
    if doubtful and not _OF_TYPE.isdisjoint(report.code for report in found):
        traits.type = None
    return traits, doubtful


def names_in_body(declaration: Declaration, surroundings: Surroundings) -> tuple[list[Symbol], bool]:
    """What `declare` declares in a function, and whether a name that means something already keeps its meaning."""
    place = DeclarationPlace.BODY
    traits, doubtful = _traits(declaration, place, surroundings)
    return [build_symbol(each, traits, place, surroundings) for each in declaration.declarators], doubtful


def build_symbol(declarator: Declarator, traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> Symbol:
    """Check the count and the dimensions of one declared name; return its symbol."""
    name = declarator.name
    if name.text in RESERVED:
        surroundings.report("reserved-name", name.start, name.end, f"`{name.text}` cannot name anything here")
    space = traits.space.text if traits.space else ""
    return Symbol(
        name.text,
        _kind(space, place),
        surroundings.mark(name.start, name.end),
        space=space,
        type=_type_of(declarator, space, traits.row),
        vector=traits.lanes,
        dimensions=_dimensions(declarator, place, surroundings),
        count=_count(declarator, surroundings),
        alignment=traits.alignment,
        linkage=traits.linkage.text if traits.linkage else "",
        names=_names_in_value(declarator),
        of_entry=place is DeclarationPlace.KERNEL,
        result=place is DeclarationPlace.RESULT,
        unified=any(word.text == UNIFIED for word in traits.attributes),
    )


def _type_of(declarator: Declarator, space: str, row: Type | None) -> str:
    """The type of a declared name; empty if no name can have the type of this row."""
    if row is None or not (row.declarable or row.single or row.letter == "o"):
        # ptxas takes arrays of types that only instructions name
        return row.name if row and row.letter == "x" and not row.foreign and declarator.dimensions else ""
    if space == ".reg" and row.single:
        return f".b{row.storage}"
    return TEXTURE if space == ".tex" and row.name in _TEX_TYPES else row.name


def _kind(space: str, place: DeclarationPlace) -> SymbolKind:
    if space == ".reg":
        return SymbolKind.REGISTER
    return SymbolKind.PARAMETER if place in PARAMETER_PLACES else SymbolKind.VARIABLE


def _count(declarator: Declarator, surroundings: Surroundings) -> int | None:
    if declarator.members is not None:
        number = literal(declarator.members, "the number of names in `<>`", surroundings)
        return UNKNOWN_COUNT if number is None else number
    rest = surroundings.source(declarator.name.end, declarator.end).lstrip()
    return UNKNOWN_COUNT if rest.startswith("<") else None


def _names_in_value(declarator: Declarator) -> tuple[str, ...]:
    """The names in the initial value: variables and functions whose addresses it takes."""
    if declarator.initialiser is None:
        return ()
    return tuple(name.text for name in names_in_items(declarator.initialiser.items))


def _dimensions(declarator: Declarator, place: DeclarationPlace, surroundings: Surroundings) -> tuple[int, ...]:
    bits = 32 if place in PARAMETER_PLACES else 64
    sizes = []
    for index, dimension in enumerate(declarator.dimensions):
        if dimension.size is not None:
            size = literal(dimension.size, "an array size", surroundings, bits=bits)
            sizes.append(-1 if size is None else size)
        else:
            # the parser has reported every missing dimension except the first one
            written = surroundings.source(dimension.start, dimension.end).strip("[] \t\r\n")
            sizes.append(-1 if written or index else 0)
    return tuple(sizes)


def check_storage(
    traits: Traits, place: DeclarationPlace, node: Declaration, surroundings: Surroundings, *, prototype: bool = False
) -> None:
    """Report what is wrong with the combination of space, type, vector and linkage, once for each declaration.

    The parameters of a `prototype`, which is a header without a body, may have types that no variable can have.
    """
    if traits.broken or _late_attribute(traits, place, surroundings):
        return
    first = node.specifiers[0].word if node.specifiers else node
    if not node.declarators and traits.type is not None:
        _check_nameless(traits, place, surroundings)
        return
    if traits.space is None:
        message = "a variable needs a state space, such as `.reg` or `.global`"
        surroundings.report("declaration-space", first.start, first.end, message)
        return
    if traits.type is None:
        end = node.specifiers[-1].end if node.specifiers else first.end
        surroundings.report("declaration-type", first.start, end, "the type is missing, such as `.b32` or `.f32`")
        return
    if _wrong_scope(traits, place, surroundings):
        return
    arrays = all(declarator.dimensions for declarator in node.declarators)
    _check_linkage(traits, place, surroundings, arrays)
    if _wrong_type(traits, place, surroundings, prototype, arrays):
        return
    _check_vector(traits, surroundings, prototype or arrays)
    packed = traits.row is not None and traits.row.letter == "h"
    if traits.vector is None and (packed or not (prototype or arrays)):  # what ptxas looks at, by observation
        require(traits.type.text, traits.type.start, traits.type.end, surroundings)


def _check_nameless(traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> None:
    """Report what is wrong with a declaration that names nothing: ptxas reads its words and asks for no more."""
    word, row = traits.type, traits.row
    assert word is not None
    assert row is not None
    if place is DeclarationPlace.BODY and traits.linkage is not None:
        _refuse_inner_linkage(traits.linkage, surroundings)
    elif row.foreign:
        surroundings.report("declaration-type", word.start, word.end, _only_of_instructions(row))
    elif row.letter == "o" and place is DeclarationPlace.BODY:
        surroundings.report("declaration-type", word.start, word.end, _opaque(traits, place, surroundings))
    else:
        _check_vector(traits, surroundings, fits_parameters=True)


def _only_of_instructions(row: Type) -> str:
    held = f": keep it in `.b{row.storage}`" if row.storage else ""
    return f"`{row.name}` is only a type of instructions, not of variables{held}"


def _refuse_inner_linkage(word: Word, surroundings: Surroundings) -> None:
    message = f"`{word.text}` belongs at the top of a module: what a function declares is its own"
    surroundings.report("linkage", word.start, word.end, message)


def _late_attribute(traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> bool:
    """Whether `.ptr` or `.align` comes after the type of something that is not a kernel parameter; report it."""
    if traits.pointer is None or place in PARAMETER_PLACES:
        return False
    word = traits.pointer.word
    if word.text == ".align":
        message = "`.align` is in a wrong place: write it before the type"
        surroundings.report("declaration-order", word.start, word.end, message)
    else:
        message = f"`{word.text}` is for parameters of kernels only"
        surroundings.report("parameter-pointer", word.start, word.end, message)
    return True


def _wrong_scope(traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> bool:
    """Whether no variable of this state space can be declared here; report it. Parameter lists have other rules."""
    word, version = traits.space, surroundings.profile.version
    assert word is not None
    message = ""
    if place is DeclarationPlace.MODULE and word.text in (".reg", ".local") and version >= _ABI:
        message = f"`{word.text}` variables must be declared inside a function"
    elif place is DeclarationPlace.MODULE and word.text == ".param":
        message = "declare parameters in the parameter list of a function, or inside its body"
    elif place is DeclarationPlace.BODY and word.text == ".param" and version < _LOCAL_PARAMETERS:
        function = surroundings.function
        old_kernel = function is not None and function.kind is SymbolKind.ENTRY and version < _PARAMETER_LISTS
        message = "" if old_kernel else "before PTX 2.0, `.param` variables are the parameters of kernels only"
    elif word.text == ".tex" and version >= _NO_TEX:
        surroundings.report(
            "removed-directive", word.start, word.end, "PTX 1.5 removed `.tex`: declare a `.global .texref`"
        )
        return True
    if message:
        surroundings.report("declaration-space", word.start, word.end, message)
    return bool(message)


def _check_linkage(traits: Traits, place: DeclarationPlace, surroundings: Surroundings, arrays: bool) -> None:
    word, space = traits.linkage, traits.space
    if word is None or space is None:
        return
    if place is DeclarationPlace.BODY:
        _refuse_inner_linkage(word, surroundings)
    elif place in PARAMETER_PLACES:
        surroundings.report("linkage", word.start, word.end, f"a parameter has no linkage such as `{word.text}`")
    elif word.text == ".common" and space.text != ".global":
        message = f"`.common` variables must be in `.global`, not in `{space.text}`"
        surroundings.report("linkage", word.start, word.end, message)
    elif word.text == ".common" and traits.row is not None and traits.row.letter == "o" and not arrays:
        message = f"a `.common` variable cannot be a `{traits.row.name}`"
        surroundings.report("linkage", word.start, word.end, message)
    else:
        require(word.text, word.start, word.end, surroundings)


def _wrong_type(
    traits: Traits, place: DeclarationPlace, surroundings: Surroundings, prototype: bool, arrays: bool
) -> bool:
    """Whether the state space cannot hold the type; report it. `arrays` is true if every declared name is an array.

    ptxas checks the types of arrays less than those of other variables: it takes those that only instructions name.
    """
    word, space, row = traits.type, traits.space, traits.row
    assert word is not None
    assert space is not None
    assert row is not None
    message = ""
    if prototype and not row.foreign and not (row.letter == "p" and arrays):
        return False
    if row.letter == "x" and (row.foreign or not arrays) and not (row.single and space.text != ".param"):
        message = _only_of_instructions(row)
    elif row.letter == "p" and (space.text != ".reg" or prototype):
        message = f"predicates can only be registers, not in `{space.text}`"
    elif row.letter == "h" and space.text == ".param" and not arrays:
        message = f"`{word.text}` cannot be passed as a parameter: use `.b32`"
    elif space.text == ".tex" and row.name not in _TEX_TYPES:
        message = f"a `.tex` variable is `.u32` or `.u64`, not `{word.text}`"
    elif row.letter == "o" and (place is DeclarationPlace.BODY or not arrays):
        message = _opaque(traits, place, surroundings)
    if message:
        surroundings.report("declaration-type", word.start, word.end, message)
    return bool(message)


def _opaque(traits: Traits, place: DeclarationPlace, surroundings: Surroundings) -> str:
    """A message that says what is wrong with a texture, sampler or surface here; empty if nothing is."""
    word, space = traits.type, traits.space
    assert word is not None
    wanted = {DeclarationPlace.MODULE: ".global", DeclarationPlace.KERNEL: ".param"}.get(place)
    if wanted is None:
        return f"`{word.text}` belongs at the top of a module or in a kernel's parameter list"
    if space is not None and space.text != wanted:
        return f"`{word.text}` {place.value} must be in `{wanted}`, not in `{space.text}`"
    if word.text == ".samplerref" and SEPARATE_SAMPLERS not in surroundings.profile.options:
        return f"separate samplers need `.target ..., {SEPARATE_SAMPLERS}`"
    return ""


def _check_vector(traits: Traits, surroundings: Surroundings, fits_parameters: bool) -> None:
    """Report a vector of a wrong type or width, and a vector in `.param` unless `fits_parameters`.

    `fits_parameters` is true for arrays and for the parameters of prototypes.
    """
    word, row, space = traits.vector, traits.row, traits.space
    if word is None or row is None:
        return
    message = ""
    if row.letter in "pox":
        message = f"there are no vectors of `{row.name}`"
    elif row.bits * traits.lanes > VECTOR_BITS:
        bits = row.bits * traits.lanes
        message = f"`{word.text} {row.name}` is {bits} bits wide, and a vector has {VECTOR_BITS} at most"
    elif space is not None and space.text == ".param" and not fits_parameters:
        message = "a parameter cannot be a vector: declare an array of bytes with `.align`"
    if message:
        surroundings.report("declaration-vector", word.start, word.end, message)


def _complete(declarator: Declarator, symbol: Symbol, traits: Traits, surroundings: Surroundings) -> Symbol:
    """Check the attributes, array, alignment and initialiser, which may set a size, of one name; return the symbol."""
    name = declarator.name
    for attribute in traits.attributes:
        ignored = symbol.count is not None and attribute.text != UNIFIED  # observed: ptxas 13.5
        if not traits.broken and not ignored and symbol.space and symbol.space != ".global":
            message = f"`{attribute.text}` is for `.global` variables, and `{name.text}` is in `{symbol.space}`"
            surroundings.report("attribute", attribute.start, attribute.end, message)
    if symbol.count is not None and symbol.dimensions:
        start, end = declarator.dimensions[0].start, declarator.dimensions[-1].end
        message = f"`{name.text}<N>` declares several names, which cannot be arrays"
        surroundings.report("register-array", start, end, message)
        return symbol.changed(dimensions=())
    if symbol.space == ".reg" and symbol.dimensions:
        from ptx_lsp.semantics.register_arrays import array_of_registers  # few texts have this mistake

        return array_of_registers(declarator, symbol, traits, surroundings)
    if symbol.space == ".param" and symbol.alignment is not None and symbol.alignment > PARAMETER_ALIGNMENT:
        check_parameter_alignment(traits, surroundings)
        symbol = symbol.changed(alignment=UNKNOWN_ALIGNMENT)
    check_memory(symbol, declarator, surroundings)
    if declarator.initialiser is not None:
        symbol = _initialise(declarator, symbol, surroundings, uncertain=traits.broken)
    if 0 in symbol.dimensions[1:]:
        empty = declarator.dimensions[symbol.dimensions.index(0, 1)]
        message = "only the first dimension of an array may be 0 or have no size"
        surroundings.report("incomplete-array", empty.start, empty.end, message)
    elif symbol.type and symbol.dimensions[:1] == (0,) and symbol.linkage != ".extern" and not declarator.has_values:
        message = f"`{name.text}` needs a size: only `.extern` arrays and arrays with initial values can omit it"
        surroundings.report("incomplete-array", name.start, declarator.dimensions[-1].end, message)
    elif symbol.space == ".const":
        check_bank(traits.bank, declarator, symbol.linkage == ".extern", surroundings)
    return symbol


def check_parameter_alignment(traits: Traits, surroundings: Surroundings) -> None:
    """Report an alignment that is too large for a parameter of a function or of a call."""
    if traits.align is not None and traits.alignment is not None and traits.alignment > PARAMETER_ALIGNMENT:
        argument = traits.align.arguments[0]
        message = f"a parameter is aligned to {PARAMETER_ALIGNMENT} bytes at most, not to {traits.alignment}"
        surroundings.report("declaration-alignment", argument.start, argument.end, message)
        traits.alignment = UNKNOWN_ALIGNMENT


def _initialise(declarator: Declarator, symbol: Symbol, surroundings: Surroundings, *, uncertain: bool) -> Symbol:
    initialiser = declarator.initialiser
    assert initialiser is not None
    message = ""
    if symbol.linkage == ".extern":
        message = f"`{symbol.name}` is `.extern`: its values are given where it is defined"
    elif symbol.space and symbol.space not in INITIALISED:
        message = f"`{symbol.name}` is in `{symbol.space}`: only `.global` and `.const` variables have initial values"
    elif symbol.count is not None:
        message = f"`{symbol.name}<{symbol.count}>` declares several names, which cannot have initial values"
    if message:
        if not uncertain:
            surroundings.report("initialiser-not-allowed", initialiser.start, initialiser.end, message)
        return symbol
    # most modules from compilers have no initialiser: they start faster without this import
    from ptx_lsp.semantics.initialisers import check_initialiser

    return check_initialiser(initialiser, symbol, surroundings)
