"""How fast the URLFrontier service is, and how much memory and disk it needs (docs/urlfrontier.md): bench/urlfrontier.py

Needs a build of bowerbird_frontier in build/release. For each size, a new service is filled to the size by eight streams;
then --step more URLs are put by one stream and by eight, and as many are got and put as fetched by one client and by eight.
Every URL must be acknowledged, known, and handed out once. CPU: of the service. --memory SIZE: with that limit.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"


def compile_client(work):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "grpc++", "protobuf"], capture_output=True, text=True, check=True).stdout.split()
    client = work + "/client"
    subprocess.run(["g++", "-std=c++20", "-O2", str(ROOT / "bench/urlfrontier_client.cc"), "-I", str(BUILD / "generated/urlfrontier_grpc"),
                    "-I", str(ROOT / "bindings/urlfrontier"), str(BUILD / "libbowerbird_protos.a"), *flags, "-o", client], check=True)
    return client


class Service:
    def __init__(self, client, folder, memory):
        self.client, self.folder = client, folder
        self.process = subprocess.Popen([str(BUILD / "bowerbird"), "frontier", "serve", "--data", folder, "--listen", "127.0.0.1:0",
                                         *(["--memory", memory] if memory else [])], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split("listen=")[1].split()[0]

    def run(self, *args):
        """Seconds, the service's processor time, and the number of URLs."""
        before = self.cpu()
        done = subprocess.run([self.client, self.address, *map(str, args)], capture_output=True, text=True, check=True)
        seconds, count = done.stdout.split()
        return float(seconds), self.cpu() - before, int(count)

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def disk(self):
        return sum(path.stat().st_size for path in pathlib.Path(self.folder).rglob("*") if path.is_file())

    def end(self):
        self.process.terminate()
        assert self.process.wait() == 0


def measure(client, work, size, step, memory):
    service = Service(client, f"{work}/{size}", memory)
    service.run("count")  # switches the delay off
    seconds, cpu, count = service.run("put", 0, size, 8)
    assert count == size, count
    print(f"\n{size:,} URLs: filled with {size / seconds:,.0f}/s, CPU {cpu / size * 1e6:.1f} us each; "
          f"{service.memory() / size:.0f} bytes of memory and {service.disk() / size:.0f} bytes on disk per URL", flush=True)
    known = size
    for streams in (1, 8):
        seconds, cpu, count = service.run("put", known, step, streams)
        assert count == step, count
        known += step
        print(f"  put by {streams} streams    {step / seconds:10,.0f} URLs/s   CPU {cpu / step * 1e6:6.1f} us each", flush=True)
    for streams in (1, 8):
        seconds, cpu, count = service.run("get", step, streams)
        assert count >= step, count
        print(f"  got and put back by {streams} {count / seconds:10,.0f} URLs/s   CPU {cpu / count * 1e6:6.1f} us each", flush=True)
    assert service.run("count")[2] == known
    start = time.perf_counter()
    service.end()
    print(f"  ended in {time.perf_counter() - start:.1f} s; {service.disk() / known:.0f} bytes on disk per URL", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="1000000,50000000")
    parser.add_argument("--step", type=int, default=200_000)
    parser.add_argument("--memory", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        client = compile_client(work)
        for size in options.sizes.split(","):
            measure(client, work, int(size), options.step, options.memory)


main()
