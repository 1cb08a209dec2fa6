"""The hover on a directive with its arguments: products, places in the source, pragmas, options."""

from collections.abc import Generator

from ptx_lsp.analysis.module import Module
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.explanations.description import Items, Part, Prose
from ptx_lsp.explanations.source_places import shown_places, source_steps
from ptx_lsp.explanations.words_hover import describe_directive, describe_target
from ptx_lsp.isa.releases import cuda_release, read_version
from ptx_lsp.semantics.performance import PRAGMAS
from ptx_lsp.syntax.tree import Directive, Expression, Word

_COUNTED = {
    ".maxntid": "at most {} threads in a CTA",
    ".reqntid": "{} threads in a CTA",
    ".reqnctapercluster": "{} CTAs in a cluster",
}
"""Directives whose arguments are the sizes of dimensions, with the meaning of their product."""

_OPTIONS = {
    "texmode_unified": "texture and sampler are one object, a `.texref`; this is the default",
    "texmode_independent": "textures and samplers are separate objects, `.texref` and `.samplerref`",
    "debug": "the module has debug information, in DWARF format",
    "map_f64_to_f32": "`.f64` is computed in `.f32`: for targets below `sm_13`, which have no double precision",
}
"""The meaning of the options of `.target`. Source: PTX ISA, #ptx-module-directives-target."""


def pragma_meaning(text: str) -> str:
    """The meaning of a string of `.pragma`, or of an option of `.target`; empty without one."""
    return PRAGMAS[text].meaning if text in PRAGMAS else _OPTIONS.get(text, "")


def describe_use(directive: Directive, line: int, module: Module) -> Generator[None, None, tuple[Part, ...]]:
    """The parts of a hover on a directive that begins on a line (from 0) of the module, found in steps."""
    about = describe_directive(directive.name.text)
    arguments = yield from _arguments(directive, line, module)
    return (*about[:1], *arguments, *about[1:])


def describe_argument(
    directive: Directive, word: str, line: int, module: Module
) -> Generator[None, None, tuple[Part, ...]]:
    """The parts of a hover on an argument of a directive: about the argument alone if it has a meaning of its own."""
    if directive.name.text == ".target":
        if option := _OPTIONS.get(word):
            return (Prose(f"`{word}`: {option}"),)
        return describe_target(word) or (yield from describe_use(directive, line, module))
    return (yield from describe_use(directive, line, module))


def _arguments(directive: Directive, line: int, module: Module) -> Generator[None, None, tuple[Part, ...]]:
    """The meaning of all arguments together."""
    name = directive.name.text
    if name in _COUNTED:
        return _product(directive, _COUNTED[name])
    if name == ".loc":
        places = yield from source_steps(directive, line, module)
        return (Items(tuple(shown_places(places))),) if places else ()
    if name == ".pragma":
        return _pragmas(directive)
    if name == ".version" and directive.arguments:
        written = directive.arguments[0]
        version = read_version(written.text if isinstance(written, Word) else written.root.text)
        release = cuda_release(version) if version is not None else ""
        return (Prose(f"PTX ISA {version}, of CUDA {release}"),) if release else ()
    if name == ".target":
        words = [argument.text for argument in directive.arguments if isinstance(argument, Word)]
        lines = [f"`{word}`: {_OPTIONS[word]}" for word in words if word in _OPTIONS]
        targets = tuple(part for word in words for part in describe_target(word))
        return (*targets, Items(tuple(lines))) if lines else targets
    return ()


def _product(directive: Directive, text: str) -> tuple[Part, ...]:
    """The product of sizes, "16 × 16 × 4: at most 1,024 threads in a CTA"."""
    product, sizes = 1, []
    for argument in directive.arguments:
        value = evaluate(argument, Authority.PTXAS).value if isinstance(argument, Expression) else None
        if value is None or value.is_float:
            return ()
        sizes.append(str(value.bits))
        product *= value.bits
    return (Prose(f"{' × '.join(sizes)}: {text.format(f'{product:,}')}"),) if sizes else ()


def _pragmas(directive: Directive) -> tuple[Part, ...]:
    lines = []
    for argument in directive.arguments:
        string = argument.text.strip('"') if isinstance(argument, Word) else ""
        pragma = PRAGMAS.get(string.split(None, 1)[0] if string.split() else "")
        if pragma is not None and pragma.meaning:
            lines.append(f"`{string}`: {pragma.meaning}")
    return (Items(tuple(lines)),) if lines else ()
