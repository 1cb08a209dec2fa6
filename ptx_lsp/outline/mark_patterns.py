"""The patterns with which a scan of a chunk finds its marks."""

import re

from ptx_lsp.isa.directive_names import CODE_BLOCK, SOURCE_SECTION
from ptx_lsp.syntax.plain_text import BLOCK_COMMENT, END_OF_SOURCE, SOURCE_TEXT

_WORDS = (
    "entry|func|visible|weak|extern|common|global|shared|const|local|tex|attribute|section|file|"
    rf"{SOURCE_SECTION[1:]}|{CODE_BLOCK[1:]}"
)
# A single `.loc` in the first or last line of a chunk may belong to a run that continues in another chunk.
# Each alternative begins with a look back at the first character: a set in front is what `re` finds fastest.
# Most lines hold one plain statement; the first alternative passes over a run of them.
_PIECE = r'[^\n\r{}:/";]*+'
_PLAIN = rf"[ \t]*+(?:[@a-z]|\.(?:reg|param)\b){_PIECE}(?:\{{{_PIECE}\}}{_PIECE}|(?!))*+;\r?+(?=\n)"
_LOCATION_LINE = r'\.loc\b[^\n\r{}:;/"]*+(?://[^\n\r]*+|(?!))?+\r?+(?=\n|\Z)'  # nothing else may be on the line
_ASSEMBLY = r"[ \t]++inline[ \t]++asm\b[^\n]*+(?!\n[ \t]*+//)"  # the rest of a line of comment that is alone
MARK = re.compile(
    rf"""
    [\n{{}}:/"](?:
        (?<=\n){_PLAIN}(?:\n(?:{_PLAIN}|(?=\n))|(?!))*+
      |
        (?<=\A\n)[ \t]*+(?P<location>{_LOCATION_LINE}(?!\n[ \t]*+{_LOCATION_LINE}))
      | (?<=\n)[ \t]*+(?:
            (?P<label>[A-Za-z_$%][\w$]*+)[ \t]*+:(?!:)
          | (?P<begin>//[ \t]*+begin{_ASSEMBLY})
          | (?P<end>//[ \t]*+end{_ASSEMBLY})
          | (?P<comments>//[^\n]*+(?:\n[ \t]*+//[^\n]*+|(?!))*+)
          | (?P<locations>{_LOCATION_LINE}(?:(?:\n[ \t]*+{_LOCATION_LINE}|(?!))++|(?=\n?\Z)))
          | (?P<source>{SOURCE_TEXT})
          | (?P<directive>\.(?:{_WORDS})\b)
        )
      | (?<=[{{}}:/"])(?:
            (?<=\{{)(?P<list>[ \t]*+[^{{}};:/"\s][^{{}};:/"]*+\}})
          | (?<=[{{}}])(?P<brace>)
          | (?<=:)(?::|(?P<colon>))
          | (?<=/)(?:(?P<comment>/[^\n]*+)|(?P<block>{BLOCK_COMMENT[1:]})|(?P<endless>\*))
          | (?<=")[^"\r\n]*+"?
        )
    )""",
    re.VERBOSE | re.ASCII,
)
SEMICOLON = re.compile(rf";[ \t]*+(\.(?:{_WORDS})\b)", re.ASCII)
DIRECTIVE = re.compile(rf"[ \t]*+(\.(?:{_WORDS})\b)", re.ASCII)
LABEL_BEFORE = re.compile(r"[A-Za-z_$%][\w$]*[ \t]*", re.ASCII)
LIST = re.compile(rf'\{{(?:[^{{}};"/]++|//[^\n]*+|{BLOCK_COMMENT}|"[^"\r\n]*+"?|/(?!\*)|(?!))*+(.)', re.S)
SECTION = re.compile(rf"(?:\.section\s++([\w.$]++|\"[^\"\n]*+\")|(\{SOURCE_SECTION}))\s*+\{{")
BEGIN_OF_SECTION = re.compile(r"\.section(?:\s++(?:[\w.$]++|\"[^\"\n]*+\"|(?!))?+|(?!))?+\s*+\Z")
BEGIN_OF_BLOCK = re.compile(rf"\{CODE_BLOCK}\s*+\{{")
END_OF_SOURCE_LINE = re.compile(rf"(?<=\n){END_OF_SOURCE}")
FILE = re.compile(r'\.file[ \t]++\w++[ \t]++"([^"\r\n]*+)"')
BRACE_OR_SEMICOLON = re.compile(r"[{};]")
SKIPPED = re.compile(rf'(?:[^;"/]++|//[^\n]*+|{BLOCK_COMMENT}|"[^"\r\n]*+"?|/|(?!))*+')
LONE_RETURN = re.compile(r"\r(?!\n)")
