"""What the scripts that repeat the papers' experiments share: the graphs, running the lab, and filling a page of docs/."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
data = pathlib.Path(os.environ.get("BOWERBIRD_DATA", root.parent / "shared/data"))
program = os.environ.get("BOWERBIRD", str(root / "build/release/bowerbird"))

# key: name in tables, how to open it, seeds
GRAPHS = {
    "cnr": ("cnr-2000", f'path = "{data}/cnr-2000-nat/cnr-2000-nat"\nhosts = "{data}/cnr-2000-nat/cnr-2000-nat.blocks.gz"', "top:160"),
    "uci": ("uci-ics-2019", f'path = "{data}/uci-ics-2019/uci-ics-2019"', "top:20"),
    "hollins": ("hollins", f'path = "{data}/hollins/hollins"', "ids:1"),
    "large": ("synthetic, 10 M", 'path = "synthetic:pages=10M"', "top:160"),
}


class Results:
    """Of one graph and experiment; runs by their label, without the options of the ordering."""

    def __init__(self, file):
        self.all = json.loads(file.read_text())
        self.runs = {}
        for one in self.all["runs"]:
            policy = one["policy"].partition(":")[0]
            self.runs[policy if one["strategy"] == "all" else f"{policy} {one['strategy']}"] = one

    def get(self, label, *path):
        value = self.runs.get(label)
        for step in path:
            value = None if value is None else value.get(step)
        return value


class Study:
    """Experiments on several graphs and the page that tells of them: results in build/NAME, page docs/NAME.md, pictures
    docs/img/NAME."""

    def __init__(self, name):
        self.name = name
        self.page = root / f"docs/{name}.md"

    def folder(self, key, experiment):
        return root / "build" / self.name / key / experiment

    def run(self, key, experiment, options):
        """Options as in an experiment file; seeds as usual for the graph unless given, none where there is no importance."""
        name, graph, seeds = GRAPHS[key]
        if options.get("importance") != "none":
            options = {"seeds": seeds, **options}
        folder = self.folder(key, experiment)
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{option} = {json.dumps(value)}" for option, value in options.items()]
        (folder / "experiment.toml").write_text("\n".join(lines + ["[[graph]]", graph, f"name = {json.dumps(name)}"]) + "\n")
        print(f"== {name}: {experiment}", file=sys.stderr)
        with open(folder / "table.txt", "w") as text:
            subprocess.run([program, "lab", str(folder / "experiment.toml"), "--out", str(folder), "-q"], check=True, stdout=text)

    def load(self, experiment):
        """The results by graph; one that was not run is left out."""
        files = {key: self.folder(key, experiment) / "results.json" for key in GRAPHS}
        return {key: Results(file) for key, file in files.items() if file.exists()}

    def write(self, blocks):
        """Puts what each block says between its marks, and the figures that the page shows beside it."""
        text = self.page.read_text()
        for name, block in blocks.items():
            marker = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
            if not marker.search(text):
                sys.exit(f"{self.page} has no place for {name}")
            text = marker.sub(lambda match: f"{match.group(1)}{block()}\n{match.group(2)}", text)
        self.page.write_text(text)
        pictures = root / "docs/img" / self.name
        pictures.mkdir(parents=True, exist_ok=True)
        for old in pictures.glob("*.*-*.svg"):
            old.unlink()
        wanted = re.findall(rf"img/{self.name}/([\w-]+?)\.([a-z]+)-([\w-]+)\.svg", text)
        for experiment, key, name in wanted:
            shutil.copy(self.folder(key, experiment) / "figures" / f"{name}.svg", pictures / f"{experiment}.{key}-{name}.svg")
        print(f"{len(wanted)} figures", file=sys.stderr)


def names(found):
    return [GRAPHS[key][0] for key in found]


def percent(value, digits=1):
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def number(value, digits=4):
    return "–" if value is None else f"{value:.{digits}f}"


def size(value):
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def main(text, run, write):
    """The command line of a study: run [GRAPH ...], or write."""
    if len(sys.argv) > 1 and sys.argv[1] == "run":
        for key in sys.argv[2:] or GRAPHS:
            if key not in GRAPHS:
                sys.exit(f"{key} is not a graph: {', '.join(GRAPHS)}")
            run(key)
    elif sys.argv[1:] == ["write"]:
        write()
    else:
        sys.exit(text)
