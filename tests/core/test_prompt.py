"""The hash of a prompt is of its bytes as git stores them, or of what an LFS pointer stands for."""

from __future__ import annotations

import hashlib

import pytest

from lastgood.core.prompt import content_sha256, prompt_sha256


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12\n".encode()


@pytest.mark.parametrize("data", [b"", b"x", b"x\r\n", b"\xff\0", b"version https://git-lfs.github.com/spec/v2\n"])
def test_bytes_are_hashed_as_they_are(data: bytes) -> None:
    assert content_sha256(data) == sha(data)


def test_a_pointer_stands_for_what_it_names() -> None:
    assert content_sha256(POINTER) == "a" * 64


@pytest.mark.parametrize(
    "data",
    [
        POINTER.replace(b"a" * 64, b"a" * 63),
        POINTER.replace(b"a" * 64, b"A" * 64),
        POINTER.replace(b"sha256", b"sha512"),
        POINTER + b"x" * 1024,
        b"\n" + POINTER,
        POINTER.partition(b"oid")[0],
    ],
    ids=["short oid", "capitals", "other hash", "too long to be one", "not at the start", "no oid"],
)
def test_what_only_looks_like_a_pointer_is_text(data: bytes) -> None:
    assert content_sha256(data) == sha(data)


def test_one_file_is_its_own_hash_whatever_its_name() -> None:
    assert prompt_sha256({"prompts/a.txt": sha(b"x")}) == prompt_sha256({"b": sha(b"x")}) == sha(b"x")


def test_several_files_are_a_listing_sorted_by_path() -> None:
    listing = f"{sha(b'1')}  a.md\n{sha(b'2')}  tools/b.json\n".encode()
    assert prompt_sha256({"tools/b.json": sha(b"2"), "a.md": sha(b"1")}) == sha(listing)


def test_a_file_that_is_renamed_moves_a_prompt_of_several() -> None:
    one, two = sha(b"1"), sha(b"2")
    assert prompt_sha256({"a": one, "b": two}) != prompt_sha256({"a": one, "c": two})
    assert prompt_sha256({"a": one, "b": two}) != prompt_sha256({"a": two, "b": one})


def test_names_that_are_not_utf8_are_hashed_as_bytes() -> None:
    listing = f"{sha(b'1')}  ".encode() + b"\xff\n" + f"{sha(b'2')}  ".encode() + b"a\n"
    expected = sorted(listing.splitlines(keepends=True), key=lambda line: line[66:])
    found = prompt_sha256({"\udcff": sha(b"1"), "a": sha(b"2")})
    assert found == sha(b"".join(expected))
