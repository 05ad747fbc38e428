"""Shared by the benches of captures (wacz.py, replay.py): pages that hardly compress, arguments, and the report."""
import argparse
import base64
import contextlib
import pathlib
import random
import shutil
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
PAGE_BYTES = 100_000  # of text; a stored page is a little smaller


def page(number):
    """Page N has its number as its title, and links to the pages 2N+1 and 2N+2."""
    text = base64.b64encode(random.Random(number).randbytes(PAGE_BYTES * 3 // 4))
    links = f"<a href=/{2 * number + 1}>1</a> <a href=/{2 * number + 2}>2</a><p>"
    return f"<!doctype html><title>Page {number}</title>{links}".encode() + text


def arguments(megabytes):
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(root / "build/release/bowerbird"))
    parser.add_argument("--size", type=int, default=megabytes, help="megabytes of the capture")
    parser.add_argument("--folder", help="keep the capture here")
    return parser.parse_args()


@contextlib.contextmanager
def scratch_folder():
    folder = tempfile.mkdtemp(prefix="bowerbird-bench-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def report(question, figures, wrong):
    """Prints the question and a table with one row. wrong: the checks that failed."""
    print(" ".join(question.split()), "", "| " + " | ".join(figures) + " |", "|---" * len(figures) + "|",
          "| " + " | ".join(str(value) for value in figures.values()) + " |", sep="\n")
    if wrong:
        sys.exit("; ".join(wrong))
