"""Reads the shards that `teach.ts` and `latents.ts` write."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Utterance:
    """One utterance: what was said, by whom, and the arrays that the teacher made of it."""

    facts: dict[str, Any]
    arrays: dict[str, Array]

    @property
    def is_test(self) -> bool:
        """Whether the text is kept from training."""
        return self.facts["split"] == "test"


def read_shard(index: Path) -> Iterator[Utterance]:
    """Yields the utterances of a shard; its arrays are mapped, not read."""
    data = np.memmap(index.with_suffix(".bin"), dtype=np.uint8, mode="r")
    for facts in json.loads(index.read_text(encoding="utf-8")):
        arrays = {}
        for name, (offset, length, element) in facts.pop("arrays").items():
            dtype = np.dtype(f"<{element}")
            arrays[name] = data[offset : offset + length * dtype.itemsize].view(dtype)
        yield Utterance(facts, arrays)


def read_folder(folder: Path) -> list[Utterance]:
    """All utterances of a folder of shards, in their order; shards being written do not count."""
    utterances = [one for index in sorted(folder.glob("*.json")) for one in read_shard(index)]
    if not utterances:
        raise SystemExit(f"{folder} holds no shards yet: run teach.ts or latents.ts first.")
    return utterances
