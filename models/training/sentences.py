"""Writes the text that the teacher speaks: our own sentences of phone calls, and Jane Austen's.

Every line of the output is one utterance: id, text, voice, source and split. The same arguments
always write the same file, and a longer list begins with a shorter one, so that more speech can be
added later without throwing any away. Voices take turns, so that every stretch of the list has all.

    python3 sentences.py --count 12000 --novels austen.tsv sentences.jsonl
"""

import argparse
import json
import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from phone_phrases import call_sentence

VOICES = (
    "af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_fenrir", "af_sarah",
    "am_puck", "bf_isabella", "bm_fable", "af_kore", "am_echo", "af_aoede", "bm_daniel",
)  # fmt: skip
OWN_SHARE = 0.6
TEST_EVERY = 40
SHORTEST_WORDS, LONGEST_WORDS = 3, 24
READABLE = re.compile(r"[A-Za-z ,;:.!?'’\-]+")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
TITLE = re.compile(r"\b(Mr|Mrs|Miss|Dr|St|Esq|etc)\.$")


def novel_sentences(path: Path) -> list[str]:
    """Sentences of a `book<TAB>line` file that read aloud well: plain letters, 3 to 24 words."""
    paragraphs: list[str] = [""]
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.partition("\t")[2].strip()
        if text and not text.startswith("CHAPTER"):
            paragraphs[-1] += f" {text}"
        elif paragraphs[-1]:
            paragraphs.append("")
    found = []
    for paragraph in paragraphs:
        for sentence in join_titles(SENTENCE_END.split(paragraph.strip())):
            plain = sentence.replace("--", ", ").replace("_", "").replace('"', "").strip()
            plain = re.sub(r"\s+", " ", plain).replace(" ,", ",")
            words = len(plain.split())
            is_whole = plain[-1:] in (".", "?", "!") and plain[:1].isupper()
            if is_whole and SHORTEST_WORDS <= words <= LONGEST_WORDS and READABLE.fullmatch(plain):
                found.append(plain)
    return sorted(set(found))


def join_titles(parts: list[str]) -> Iterator[str]:
    """Puts "Mr." and the like back to the name that follows."""
    whole = ""
    for part in parts:
        whole = f"{whole} {part}".strip()
        if not TITLE.search(whole):
            yield whole
            whole = ""
    if whole:
        yield whole


def utterances(count: int, novels: list[str]) -> Iterator[dict[str, object]]:
    """Utterances in a fixed order; each depends on its number and on the novels alone."""
    order = random.Random(20_261_122)
    novels = order.sample(novels, len(novels))
    spoken: set[str] = set()
    for number in range(count):
        choice = random.Random(number)
        is_own = choice.random() < OWN_SHARE or not novels
        text = call_sentence(choice) if is_own else novels.pop()
        while is_own and text in spoken and len(text.split()) > 3:
            text = call_sentence(choice)
        spoken.add(text)
        yield {
            "id": number,
            "text": text,
            "voice": VOICES[number % len(VOICES)],
            "source": "own" if is_own else "austen",
            "split": "test" if zlib.crc32(text.encode()) % TEST_EVERY == 0 else "train",
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("--count", type=int, required=True, help="utterances to write")
    parser.add_argument("--novels", type=Path, required=True, help="lines of book<TAB>text")
    options = parser.parse_args()
    lines = utterances(options.count, novel_sentences(options.novels))
    with options.target.open("w", encoding="utf-8") as target:
        for line in lines:
            target.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
