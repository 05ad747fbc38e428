#!/usr/bin/env python3
"""Runs the commands in docs/*.md that are marked `<!-- run: COMMAND -->` and puts what they print into the block below.

usage: tools/examples.py FILE.md ...
"""
import pathlib
import re
import shlex
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
block = re.compile(r"(<!-- run: (.+?) -->\n```)[^\n]*\n.*?(```)", re.S)


def output(match):
    command = match.group(2)
    words = shlex.split(command)
    print(f"== {command}", file=sys.stderr)
    words[0] = str(root / "build/release" / words[0])
    out = subprocess.run(words + ["--quiet"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return f"{match.group(1)}\n$ {command}\n{out}{match.group(3)}"


for name in sys.argv[1:]:
    path = pathlib.Path(name)
    path.write_text(block.sub(output, path.read_text()))
