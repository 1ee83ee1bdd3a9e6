"""Lets a student and its teacher speak texts that were kept from training, for `listen.ts` to judge.

    python3 speak_unseen.py voice --data SPEECH --voices VOICES --run FOLDER --count 100 TARGET
    python3 speak_unseen.py piper --data PAIRS --run FOLDER --count 100 TARGET
"""

import argparse
import json
from pathlib import Path

import pairs
import phonetic
import torch
from checkpoint import load_average
from student import SpectrumDecoder
from torch import nn
from train_piper import Distillation
from train_voice import Imitation


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("voice", "piper"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--voices", type=Path)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    task: Imitation | Distillation
    student: nn.Module
    if options.kind == "voice":
        task, student = Imitation(options.data, options.voices), phonetic.PhoneVoice()
        rate = phonetic.SHAPE.sample_rate
    else:
        task, student = Distillation(options.data), SpectrumDecoder(pairs.SHAPE)
        rate = pairs.SHAPE.sample_rate
    load_average(student, options.run)
    options.target.mkdir(parents=True, exist_ok=True)
    texts = []
    for number, spoken in enumerate(task.unseen(student, options.count)):
        texts.append(spoken.text)
        spoken.made.astype("<f4").tofile(options.target / f"{number}.student.f32")
        spoken.true.astype("<f4").tofile(options.target / f"{number}.teacher.f32")
    index = {"sampleRate": rate, "texts": texts}
    (options.target / "index.json").write_text(json.dumps(index), encoding="utf-8")


if __name__ == "__main__":
    main()
