"""Every command and every option as a row: the only place that describes the command line.

The parser of options, `--help`, the completion of the shells, the manual page and the page of the documentation all
read these rows. A row is text only, so that a command starts fast.
"""

from ptx_lsp.light_classes import NamedTuple

PATHS = "[OPTION...] PATH... | -"


class Option(NamedTuple):
    """One option: its name, what it does, and the placeholder of its value (empty: it takes none).

    A placeholder with `|` lists the only values that are allowed. `many` is true if the values of a repeated option are
    joined by commas; otherwise the last one counts. `files` is true if the value is a path. `group` is the heading
    that the option is listed under, and `short` its name with one dash.
    """

    name: str
    purpose: str
    value: str = ""
    short: str = ""
    group: str = "Options"
    many: bool = False
    files: bool = False


class Subcommand(NamedTuple):
    """One command: the module and the function that run it, its arguments, its purpose in one line, and its options.

    `about` describes it in paragraphs, `exits` says what its exit codes mean. `choices` holds the only values that its
    argument may have, joined by `|`; `files` is true if its arguments are paths.
    """

    module: str
    function: str
    usage: str
    purpose: str
    about: str = ""
    options: tuple[Option, ...] = ()
    exits: str = ""
    choices: str = ""
    files: bool = False


HELP = Option("--help", "print this text", short="-h")

_SELECTION, _FIXES, _OUTPUT, _INPUT = "Findings", "Fixes", "Output", "Input"

_SETTINGS = (
    Option(
        "--select",
        "report the findings of these rules only: codes, families (`ptx-lsp rules` lists both) or `all`",
        "CODE,...",
        group=_SELECTION,
        many=True,
    ),
    Option("--ignore", "do not report the findings of these rules", "CODE,...", group=_SELECTION, many=True),
    Option(
        "--extend-select",
        "report the findings of these rules too, also if they are off by default or hints",
        "CODE,...",
        group=_SELECTION,
        many=True,
    ),
    Option(
        "--severity",
        "the severity of findings of a code or family: error, warning, information, hint or off",
        "CODE=LEVEL,...",
        group=_SELECTION,
        many=True,
    ),
    Option(
        "--maximum-version",
        "the highest PTX ISA version that your tools accept; what needs a later one is reported",
        "X.Y",
        group=_SELECTION,
    ),
    Option(
        "--target",
        "the target that you compile for, such as sm_90a. Limits of a module, such as the size of shared memory, are "
        "those of the first target, and a module that does not compile for it gets a warning; its `.target` still "
        "decides which instructions it may have. Inline PTX may be written for each of the targets, by default for "
        "any: what fails for one and not for another is no error",
        "SM,...",
        group=_SELECTION,
        many=True,
    ),
    Option(
        "--config",
        "read this configuration file, instead of the nearest `ptx-lsp.toml` or `pyproject.toml` above each file",
        "FILE",
        group=_SELECTION,
        files=True,
    ),
    Option("--no-config", "read no configuration file", group=_SELECTION),
)

_CHECK = (
    *_SETTINGS,
    Option("--hints", "print and count hints too, such as unused registers", group=_SELECTION),
    Option(
        "--fix",
        "make the safe fixes in place: those that keep the evident meaning of the text. For `-` the fixed text is "
        "printed and the findings go to standard error",
        group=_FIXES,
    ),
    Option(
        "--unsafe-fixes",
        "make the other fixes too, the first of each finding: they can change what the program computes, so check the "
        "result; implies --fix",
        group=_FIXES,
    ),
    Option("--diff", "change no file, and print what the fixes would change as a unified diff", group=_FIXES),
    Option(
        "--format",
        "text for people (the default); concise, a line for each finding; json, an object a line with path, line, "
        "column, end_line, end_column, severity, code, message, url, related and fixes (lines and columns from 1, "
        "columns in code points, ends exclusive); sarif, SARIF 2.1.0; github, commands of a workflow; gitlab, a "
        "report of code quality; junit, XML",
        "text|concise|json|sarif|github|gitlab|junit",
        group=_OUTPUT,
    ),
    Option("--output-file", "write the findings to this file", "FILE", "-o", _OUTPUT, files=True),
    Option("--statistics", "print how many findings each rule has, instead of the findings", group=_OUTPUT),
    Option("--color", "colours; auto: on a terminal", "auto|always|never", group=_OUTPUT),
    Option("--quiet", "print findings only, no summary", short="-q", group=_OUTPUT),
    Option("--verbose", "also print each file with its time, and the configuration", short="-v", group=_OUTPUT),
    Option("--exit-zero", "exit with 0 even if there are errors", group=_OUTPUT),
    Option("--watch", "check again what changes, until Ctrl-C; needs `ptx-lsp[watch]`", short="-w", group=_INPUT),
    Option(
        "--stdin-filename",
        "the name of standard input in the output, and for its configuration",
        "FILE",
        group=_INPUT,
        files=True,
    ),
    Option("--jobs", "the number of processes; by default the number that is fastest", "N", "-j", group=_INPUT),
    Option(
        "--embedded",
        "search folders for files of other languages with inline PTX too: CUDA C++, C++, C, OpenCL, Python, Rust, "
        "LLVM IR, MLIR and Julia",
        group=_INPUT,
    ),
    Option(
        "--host",
        "the language of the files that are named and of standard input; by default that of the file's extension",
        "ptx|cuda|cpp|c|opencl|python|rust|llvm|mlir|julia",
        group=_INPUT,
    ),
)

COMMANDS = {
    "check": Subcommand(
        "check",
        "run",
        PATHS,
        "check PTX files, folders of them, or inline PTX in other languages",
        "Checks PTX files, and the inline PTX of files in other languages, by their extension: CUDA C++, C++, "
        "C, OpenCL, Python, Rust, LLVM IR, MLIR and Julia. A folder is searched for `*.ptx` and `*.ptx.gz`; `-` is "
        "standard input; `@FILE` is a file with a path on each line. Files that end with `.gz` are unpacked.",
        _CHECK,
        "0 no errors; 1 errors, or --diff has printed changes; 2 a file could not be read or written, or is not PTX.",
        files=True,
    ),
    "eval": Subcommand(
        "evaluate",
        "run",
        "[OPTION...] EXPR... | -",
        "evaluate constant expressions",
        "Evaluates PTX constant expressions. Each EXPR is one, also if it begins with `-`. With `-` alone, each line "
        "of standard input is one. Without EXPR, it reads standard input too, or shows a prompt if that is a terminal.",
        (
            Option("--format", "the output: text (default), or one JSON object a line", "text|json"),
            Option("--authority", "the rules of the assembler (default), or of the manual", "ptxas|isa"),
        ),
        "0, or 1 if an expression has no value.",
    ),
    "explain": Subcommand(
        "explain",
        "run",
        "CODE",
        "explain a finding: what it means, an example, the fixed example",
        "Prints what a finding means, an example that has it, and the fixed example. The code is in brackets after the "
        "message of a finding; `ptx-lsp rules` lists all codes.",
        exits="0, or 2 if there is no such code.",
    ),
    "rules": Subcommand(
        "explain",
        "run_rules",
        "",
        "list all rules",
        "Lists every rule: its code, its default severity, its family and its title.",
    ),
    "isa": Subcommand(
        "isa",
        "run",
        "OPCODE",
        "show an instruction: its forms, operands, versions and targets",
        "Prints what the PTX ISA allows for an instruction: `ptx-lsp isa add` all forms of it, `ptx-lsp isa "
        "cp.async.bulk` those of one of its pages, `ptx-lsp isa add.s32` the form that this opcode takes. Special "
        "registers (`%tid`) and directives (`.maxntid`) are explained as well.",
        exits="0, or 2 if nothing has that name.",
    ),
    "needs": Subcommand(
        "needs",
        "run",
        PATHS,
        "find the lowest version and targets that a module needs",
        "Prints the lowest PTX ISA version that accepts a module and the lowest targets in that version, and for each "
        "the first line that needs it. `-` is standard input.",
        (
            Option(
                "--format",
                "text for people (the default), or one JSON object a file: path, version, cuda, targets, written, "
                "version_lines, target_lines, accepted (each target with its first version), refused (targets with the "
                "lines that they do not accept); lines and columns from 1, ends exclusive",
                "text|json",
            ),
            Option(
                "--verbose",
                "also the other lines that need them, and which known targets do not accept the module, and why",
            ),
            Option("--all", "the same with every line, not only the first few of each kind"),
        ),
        "0, 1 if no known target accepts the module, 2 if a file could not be read.",
        files=True,
    ),
    "format": Subcommand(
        "format",
        "run",
        "[--check | --diff] PATH... | -",
        "format PTX files",
        "Formats PTX files in place, in the style of NVIDIA's compiler: indentation, and the blanks between the words "
        "of a statement. Comments, inline assembly, operands over several lines and columns that are aligned by hand "
        "stay as they are. A folder is searched for `*.ptx`; `-` is standard input, whose formatted text is printed.",
        (
            Option("--check", "change no file, and print the names of those that are not formatted"),
            Option("--diff", "change no file, and print the changes as a unified diff"),
        ),
        "0, 1 if `--check` or `--diff` finds a file that is not formatted, 2 if a file could not be read or written, "
        "or is not PTX.",
        files=True,
    ),
    "server": Subcommand(
        "serve",
        "run",
        "[--stdio | --tcp HOST:PORT]",
        "run the language server",
        "Speaks the Language Server Protocol on standard input and output.",
        (
            Option("--stdio", "the default"),
            Option("--tcp", "listen there for one client, for debugging", "HOST:PORT"),
            Option("--clientProcessId", "end when process N does", "N"),
        ),
        "0 if the client has sent `shutdown` and `exit`, else 1.",
    ),
    "config": Subcommand(
        "config",
        "run",
        "[OPTION...] [PATH]",
        "print the settings of a file, and where each comes from",
        "Prints the settings that hold for a file (by default for a file in this folder), and for each where it is "
        "set: the command line, a configuration file, or nowhere, so that the default holds. The settings of an "
        "editor have priority over those of the file, and are not known here.",
        (*_SETTINGS, Option("--format", "text (the default), or one JSON object a line", "text|json")),
        "0, or 1 if the configuration file has a mistake.",
        files=True,
    ),
    "version": Subcommand("version", "run", "", "print the version", "Prints the version of ptx-lsp."),
    "completion": Subcommand(
        "shell_completion",
        "run",
        "bash | zsh | fish",
        "print a shell's completion of this command line",
        "Prints a script that completes commands, options and their values in a shell. For bash: `ptx-lsp completion "
        "bash > ~/.local/share/bash-completion/completions/ptx-lsp`. For zsh: `ptx-lsp completion zsh > _ptx-lsp` in a "
        "folder of `$fpath`. For fish: `ptx-lsp completion fish > ~/.config/fish/completions/ptx-lsp.fish`.",
        choices="bash|zsh|fish",
    ),
}
