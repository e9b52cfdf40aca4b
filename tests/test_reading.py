"""Reading what anybody may have written: a sentence for all that is not sound, soon."""

import errno
import os

import pytest

from ludus import files, reading
from ludus.arena.record import read
from ludus.truth import table

ENDLESS = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "zero": lambda path: path.symlink_to("/dev/zero"),
    "tty": lambda path: path.symlink_to("/dev/full"),
}


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize(
    "reader", [reading.data, reading.text, reading.load, lambda path: list(reading.lines(path))]
)
def test_only_regular_files_are_read(tmp_path, kind, reader):
    path = tmp_path / "file"
    ENDLESS[kind](path)
    with pytest.raises(ValueError, match=r"file is not a file"):
        reader(path)


def test_a_file_is_as_large_as_it_may_be_and_no_larger(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert reading.data(path, 5) == b"12345"
    with pytest.raises(ValueError, match="too large: more than 4 bytes"):
        reading.data(path, 4)
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match="too large"):
        reading.load(path)
    with pytest.raises(ValueError, match="line 1 is too long"):
        next(reading.lines(path))


def test_lines_end_where_a_newline_is_and_nowhere_else(tmp_path):
    path = tmp_path / "file"
    path.write_bytes("a\u2028b\r\x85\n\nc".encode())
    assert list(reading.lines(path)) == ["a\u2028b\r\x85\n".encode(), b"\n", b"c"]


def test_lines_that_are_kept_are_so_many_and_no_more(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"\n" * 7)
    monkeypatch.setattr(reading, "MOST_LINES", 7)
    assert files.read_lines(path) == ([b""] * 7, b"")
    path.write_bytes(b"\n" * 8)
    with pytest.raises(ValueError, match="file is too large: more than 7 lines"):
        files.read_lines(path)
    os.truncate(path, reading.MOST_KEPT + 1)
    with pytest.raises(ValueError, match="file is too large: more than 1,073,741,824 bytes"):
        files.read_lines(path)


SOUND = ['{"a": [1, -2.5, true, null, "\\u00fc"]}', "[]", "3", '"x"', "-0.0", "1" * 300]
WRONG = {
    "": "not JSON",
    "{": "not JSON",
    "[1,]": "not JSON",
    "{'a': 1}": "not JSON",
    "NaN": "NaN is no number",
    "[-Infinity]": "-Infinity is no number",
    "1e999": "too large",
    "[" * 100 + "]" * 100: "inside each other",
    '{"a":' * 33 + "1" + "}" * 33: "inside each other",
    "[" * 100_000: "inside each other",
    '{"a":' * 100_000: "inside each other",
    "9" * 301: "301 digits",
    "9" * 100_000: "100,000 digits",
    '{"a": 1, "b": {"c": 2, "c": 3}}': "'c' is there twice",
    "[" + "[]," * 300_000 + "[]]": "more than 200,000 lists and objects",
    '"' + "a" * (1 << 24) + '"': "more than 16,777,216 bytes",
}


@pytest.mark.parametrize("text", SOUND)
def test_json_reads_as_its_standard_has_it(text):
    import json

    assert reading.parse(text) == reading.parse(text.encode()) == json.loads(text)


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=[text[:12] for text in WRONG])
def test_what_is_not_plain_json_is_a_sentence(text, said):
    for written in (text, text.encode()):
        with pytest.raises(ValueError, match=said) as error:
            reading.parse(written)
        assert len(str(error.value)) < 200


def test_one_of_many_fields_that_is_there_twice_is_found_in_one_pass():
    """Counting each name took half an hour for as many as a text can hold."""
    many = ",".join(f'"{number}":0' for number in range(300_000))
    with pytest.raises(ValueError, match="'299999' is there twice"):
        reading.parse(f'{{{many},"299999":1}}')


def test_json_is_in_utf8():
    for text in ("1", '"ü"'):
        with pytest.raises(ValueError, match=r"not text in UTF-8|not JSON"):
            reading.parse(text.encode("utf-16"))
    with pytest.raises(ValueError, match="not JSON"):
        reading.parse("\ufeff1")


def test_depth_is_counted_not_brackets():
    wide = str([[]] * 1000)
    assert len(reading.parse(wide)) == 1000
    assert reading.parse("[" * 32 + "]" * 32)
    assert reading.parse('"' + "[" * 1000 + '"') == "[" * 1000


def test_metrics_may_be_what_python_writes_for_numbers():
    assert str(reading.parse('{"loss": NaN}', finite=False)) == "{'loss': nan}"


def test_a_record_that_is_no_file_is_a_sentence(tmp_path):
    for name, make in ENDLESS.items():
        make(tmp_path / name)
        with pytest.raises(ValueError, match="is not a file"):
            list(read(tmp_path / name))
        with pytest.raises(ValueError, match="is not a file"):
            table.read(tmp_path / name, {})


@pytest.mark.parametrize("way", ["no folder", "no place", "no room"])
def test_what_could_not_be_written_is_told_by_its_own_name(tmp_path, monkeypatch, way):
    path = tmp_path / "picture.svg"
    if way == "no folder":
        path = tmp_path / "none" / "picture.svg"
    elif way == "no place":
        path.mkdir()
    else:
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(full))
    with pytest.raises(OSError, match=r"picture\.svg'$") as caught:
        files.write(path, b"x")
    assert caught.value.filename == str(path)
    assert not any(place.is_file() for place in tmp_path.rglob("*"))
