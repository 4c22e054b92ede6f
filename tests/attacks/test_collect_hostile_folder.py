"""A folder of logs made to lead outside, to hang, or to fill the memory: refused or warned about, never followed."""

import os
import socket
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from opvalue.collect import collect
from opvalue.collect.errors import SourceTooLarge, SourceUnreadable, TooManyFiles
from opvalue.limits import KIB, MIB, Limits
from tests.collect.conftest import CALL, Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "run").mkdir()
    return Run(tmp_path / "run")


OUTSIDE = '{"type":"own.kind","data":{"stolen":true}}\n'


@pytest.mark.timeout(20)
class TestLinksAndDevices:
    def test_links_to_files_are_not_read(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "outside.jsonl").write_text(OUTSIDE)
        for path in ("agent-session.jsonl", "mcp-logs/a.jsonl", "safeoutputs.jsonl", "aw_info.json", "agent-stdio.log"):
            (run.folder / path).parent.mkdir(exist_ok=True)
            (run.folder / path).symlink_to(tmp_path / "outside.jsonl")
        assert run.events() == []
        assert {code for _, code, _ in run.warnings()} == {"symlink_not_read"}
        assert sorted(path for path, _, _ in run.warnings()) == [
            "agent-session.jsonl",
            "agent-stdio.log",
            "aw_info.json",
            "mcp-logs/a.jsonl",
            "safeoutputs.jsonl",
        ]

    def test_links_to_folders_are_not_entered(self, run: Run, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        (outside / "logs").mkdir(parents=True)
        (outside / "a.jsonl").write_text(OUTSIDE)
        (outside / "logs" / "a.jsonl").write_text(OUTSIDE)
        (run.folder / "mcp-logs").symlink_to(outside)
        (run.folder / "sandbox").mkdir()
        (run.folder / "sandbox" / "firewall").symlink_to(outside)
        (run.folder / "threat-detection").mkdir()
        (run.folder / "threat-detection" / "mcp-logs").mkdir()
        (run.folder / "threat-detection" / "mcp-logs" / "inner").symlink_to(outside)
        assert run.events() == []
        assert sorted(path for path, _, _ in run.warnings()) == [
            "mcp-logs",
            "sandbox/firewall",
            "threat-detection/mcp-logs/inner",
        ]

    def test_a_loop_of_links(self, run: Run) -> None:
        (run.folder / "mcp-logs").mkdir()
        (run.folder / "mcp-logs" / "again").symlink_to(".")
        assert run.warnings() == [("mcp-logs/again", "symlink_not_read", None)]

    def test_pipes_and_sockets_do_not_make_it_wait(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        (run.folder / "mcp-logs").mkdir()
        os.mkfifo(run.folder / "agent-session.jsonl")
        os.mkfifo(run.folder / "mcp-logs" / "a.jsonl")
        monkeypatch.chdir(run.folder)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("safeoutputs.jsonl")
            assert [(path, code) for path, code, _ in run.warnings()] == [
                ("agent-session.jsonl", "not_a_regular_file"),
                ("mcp-logs/a.jsonl", "not_a_regular_file"),
                ("safeoutputs.jsonl", "not_a_regular_file"),
            ]

    def test_a_file_that_becomes_a_link_while_it_is_read(
        self,
        run: Run,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        (tmp_path / "outside.jsonl").write_text(OUTSIDE)
        file = run.lines("agent-session.jsonl", CALL)
        real = os.open

        def swapping(path: str, flags: int, *args: int, **more: int) -> int:
            if path == "agent-session.jsonl":
                file.unlink()
                file.symlink_to(tmp_path / "outside.jsonl")
            return real(path, flags, *args, **more)

        monkeypatch.setattr(os, "open", swapping)
        assert not any(b"stolen" in line for line in collect(run.folder).lines)

    def test_folders_too_deep(self, run: Run) -> None:
        run.lines("mcp-logs/1/2/3/4/5/6/7/a.jsonl", {"event": "read"})
        run.lines("mcp-logs/1/2/3/4/5/6/7/8/a.jsonl", {"event": "not read"})
        assert [one["data"]["event"] for one in run.events()] == ["read"]
        assert run.warnings() == [("mcp-logs/1/2/3/4/5/6/7/8", "directory_depth_limit", None)]

    def test_a_file_that_may_not_be_read_ends_it(self, run: Run) -> None:
        run.put("safeoutputs.jsonl", "{}").chmod(0)
        if os.geteuid() == 0:
            pytest.skip("root may read everything")
        with pytest.raises(SourceUnreadable):
            collect(run.folder)

    @pytest.mark.parametrize("call", ["open", "read", "listdir", "stat"])
    def test_a_disk_that_fails_ends_it(self, run: Run, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
        run.put("mcp-logs/a.jsonl", "{}")
        real = getattr(os, call)

        def failing(*args: object, **more: object) -> object:
            if call == "read" or args[0] == "a.jsonl" or (call == "listdir"):
                raise OSError(5, "Input/output error")
            return real(*args, **more)

        monkeypatch.setattr(os, call, failing)
        with pytest.raises(SourceUnreadable, match="Input/output error"):
            collect(run.folder)

    def test_names_of_any_bytes(self, run: Run) -> None:
        folder = os.fsencode(run.folder) + b"/mcp-logs"
        os.mkdir(folder)  # noqa: PTH102 - a name that is no text
        for name in (b"\xff.jsonl", b"a\nb\x1b[31m.jsonl"):
            Path(os.fsdecode(folder + b"/" + name)).write_bytes(b"{}\n")
        assert [one["provenance"]["path"] for one in run.events()] == [
            "mcp-logs/a\nb\x1b[31m.jsonl",
            "mcp-logs/\udcff.jsonl",
        ]


class TestBadContent:
    @pytest.mark.parametrize(
        "line",
        [
            b"[" * 100_000,
            b'{"a":' * 100_000,
            b'{"a":' + b"9" * 5_000 + b"}",
            b'{"a":1e999}',
            b'{"a":NaN}',
            b'{"a":-Infinity}',
            b'{"a":"\xff"}',
            b"\xef\xbb\xbf{}",
            b"{} {}",
            b"{",
            b'{"a":"\x00"}',
            bytes(range(256)),
            b'{"a":' + b"[" * 126 + b"]" * 126 + b"}",
        ],
        ids=range(13),
    )
    def test_a_bad_line_is_left_out_and_its_neighbours_stay(self, run: Run, line: bytes) -> None:
        line = line.replace(b"\n", b"")
        run.put("mcp-logs/a.jsonl", b'{"event":"before"}\n' + line + b'\n{"event":"after"}')
        run.put("safe-output-errors.json", line)
        assert [one["data"]["event"] for one in run.events()] == ["before", "after"]
        assert run.warnings() == [
            ("mcp-logs/a.jsonl", "malformed_jsonl", 2),
            ("safe-output-errors.json", "malformed_json", None),
        ]

    def test_the_deepest_that_is_kept_can_be_read_again(self, run: Run) -> None:
        run.put("experiment/assignments.json", b'{"a":' + b"[" * 125 + b"]" * 125 + b"}")
        assert len(run.events()) == 1

    def test_two_equal_keys_are_the_last(self, run: Run) -> None:
        run.put("mcp-logs/a.jsonl", '{"event":"x","event":"y"}\n')
        assert run.events()[0]["data"] == {"event": "y"}

    @pytest.mark.parametrize("value", ["5", "null", '"text"', "[]", "true"])
    def test_what_is_no_object(self, run: Run, value: str) -> None:
        run.put("mcp-logs/a.jsonl", f"{value}\n{{}}\n")
        assert run.warnings() == [("mcp-logs/a.jsonl", "non_object_record", 1)]
        assert len(run.events()) == 1


class TestSizes:
    def test_a_long_line(self, run: Run) -> None:
        limits = Limits(collect_line_bytes=100)
        run.put("mcp-logs/a.jsonl", '{"event":"a"}\n{"x":"' + "y" * 100 + '"}\n{"event":"b"}\n{"x":"' + "y" * 100)
        run.put("agent-stdio.log", "x" * 101)
        run.put("aw-prompts/user.txt", "x" * 101)
        run.put("safe-output-errors.json", "x" * 101)
        assert [one["data"]["event"] for one in run.events(limits=limits)] == ["a", "b"]
        assert run.warnings(limits) == [
            ("aw-prompts/user.txt", "file_too_long", None),
            ("agent-stdio.log", "unrecognized_engine_log", None),
            ("mcp-logs/a.jsonl", "line_too_long", 2),
            ("mcp-logs/a.jsonl", "line_too_long", 4),
            ("safe-output-errors.json", "file_too_long", None),
            ("agent-stdio.log", "line_too_long", 1),
        ]

    def test_a_line_of_200_mebibytes_costs_no_memory(self, run: Run) -> None:
        path = run.folder / "agent-session.jsonl"
        with path.open("wb") as file:
            file.truncate(200 * MIB)
        tracemalloc.start()
        try:
            assert run.warnings() == [("agent-session.jsonl", "line_too_long", 1)]
            assert tracemalloc.get_traced_memory()[1] < 40 * MIB
        finally:
            tracemalloc.stop()

    def test_files_over_their_limit(self, run: Run) -> None:
        run.put("mcp-logs/a.jsonl", "\n" * 600)
        run.put("mcp-logs/b.jsonl", "\n" * 600)
        assert run.events(limits=Limits(collect_file_bytes=600, collect_bytes=1200)) == []
        with pytest.raises(SourceTooLarge, match=r"mcp-logs/a.jsonl is too large"):
            collect(run.folder, limits=Limits(collect_file_bytes=599))
        with pytest.raises(SourceTooLarge, match="the logs are too large"):
            collect(run.folder, limits=Limits(collect_bytes=1199))

    def test_too_many_files(self, run: Run) -> None:
        for number in range(11):
            run.put(f"mcp-logs/{number}.txt", "")
        assert run.events(limits=Limits(collect_files=11)) == []
        with pytest.raises(TooManyFiles):
            collect(run.folder, limits=Limits(collect_files=10))

    @pytest.mark.skipif(sys.platform != "linux", reason="the unit of memory differs elsewhere")
    def test_many_bad_lines_cost_no_memory(self, run: Run) -> None:
        run.put("agent-session.jsonl", b"x\n" * 300_000)
        program = (
            "import resource,sys;from pathlib import Path;from opvalue.collect import collect;"
            "peak=lambda:resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;before=peak();"
            "print(collect(Path(sys.argv[1])).warned, peak()-before)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(run.folder)],
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
            check=True,
            capture_output=True,
            text=True,
        )
        warned, kibibytes = map(int, done.stdout.split())
        assert warned == 300_000
        assert kibibytes < 20 * KIB
