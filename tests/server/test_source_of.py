"""The commands between PTX and its source, and definition on `.loc`, with files on the disk."""

from pathlib import Path
from typing import Any

from tests.features.source_lines import TEXT
from tests.server.conversation import initialized

BUILT = TEXT.replace("inc/half.cuh", "/build/inc/half.cuh")


def test_from_ptx_to_the_source_and_back(tmp_path: Path) -> None:
    source, header = tmp_path / "k.cu", tmp_path / "here" / "inc" / "half.cuh"
    header.parent.mkdir(parents=True)
    source.write_text("\n" * 20, "utf-8")
    header.write_text("\n" * 20, "utf-8")
    uri = (tmp_path / "k.ptx").as_uri()
    settings = {"source": {"paths": {"/build/": f"{tmp_path}/here/", "/": "/nowhere/"}}}
    with initialized(initializationOptions=settings) as conversation:
        conversation.open(BUILT, uri)

        def source_of(line: int) -> Any:
            argument = {"uri": uri, "position": {"line": line, "character": 1}}
            return conversation.ask("workspace/executeCommand", {"command": "ptx.sourceOf", "arguments": [argument]})

        def ptx_of(file: Path, line: int) -> Any:
            argument = {"uri": file.as_uri(), "line": line}
            return conversation.ask("workspace/executeCommand", {"command": "ptx.ptxOf", "arguments": [argument]})

        inner, outer = source_of(12)
        assert (inner["uri"], inner["line"], inner["column"]) == (header.as_uri(), 2, 6)
        assert (outer["uri"], outer["line"], outer["column"]) == (source.as_uri(), 12, 4)
        assert source_of(7) == []
        assert ptx_of(source, 11) == [{"uri": uri, "lines": [[9, 10], [14, 15]]}]
        assert ptx_of(header, 2) == [{"uri": uri, "lines": [[12, 12]]}]
        assert ptx_of(tmp_path / "other.cu", 2) == []
        names = [each["name"] for each in conversation.ask("workspace/symbol", {"query": ""})]
        assert names
        at = {"textDocument": {"uri": uri}, "position": {"line": 11, "character": 3}}
        (place,) = conversation.ask("textDocument/definition", at)
        assert place == {
            "uri": header.as_uri(),
            "range": {"start": {"line": 2, "character": 6}, "end": {"line": 2, "character": 6}},
        }
        item = {"uri": source.as_uri(), "languageId": "cuda-cpp", "version": 1, "text": 'asm("nop;");\n'}
        conversation.notify("textDocument/didOpen", {"textDocument": item})
        assert ptx_of(source, 11) == [{"uri": uri, "lines": [[9, 10], [14, 15]]}]
        assert [each["name"] for each in conversation.ask("workspace/symbol", {"query": ""})] == names
        header.unlink()
        assert conversation.ask("textDocument/definition", at) == []
        assert source_of(12)[0]["uri"] is None


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    with initialized() as conversation:
        for command, argument in [("ptx.sourceOf", None), ("ptx.sourceOf", {"uri": "file:///x"}), ("ptx.ptxOf", {})]:
            error = conversation.error("workspace/executeCommand", {"command": command, "arguments": [argument]})
            assert error["code"] == -32602
