"""Runs a command at the lowest priority and stops it for as long as a flag file exists.

    python3 pausable.py --flag FOLDER/PAUSE --pids FOLDER/pids -- COMMAND …

The command and all it starts form a process group, whose id is appended to the pids file;
SIGSTOP and SIGCONT by that id do the same by hand. When the command fails it is started again
after a minute, since every job here resumes where it was killed.
"""

import argparse
import os
import signal
import subprocess
import time
from pathlib import Path

POLL_S = 0.5
RESTART_AFTER_S = 60


def run_once(command: list[str], flag: Path, pids: Path) -> int:
    """Runs the command to its end, stopped while the flag is there. Returns its exit status."""
    job = subprocess.Popen(command, start_new_session=True, preexec_fn=lambda: os.nice(19))
    with pids.open("a", encoding="utf-8") as target:
        target.write(f"{job.pid} {' '.join(command)}\n")
    is_stopped = False
    while job.poll() is None:
        if flag.exists() != is_stopped:
            is_stopped = not is_stopped
            os.killpg(job.pid, signal.SIGSTOP if is_stopped else signal.SIGCONT)
        time.sleep(POLL_S)
    return job.returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flag", type=Path, required=True)
    parser.add_argument("--pids", type=Path, required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    while run_once(options.command, options.flag, options.pids) != 0:
        time.sleep(RESTART_AFTER_S)


if __name__ == "__main__":
    main()
