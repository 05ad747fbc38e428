#!/usr/bin/env python3
"""What does HTTPS cost on a real corpus of few hosts, compared with HTTP?

usage: bench/crawl_https.py [small|full] [REPEATS] [BOWERBIRD]     (of bench/performance.py crawl_https)

The corpus of bench/crawl_speed.py, served by an nginx of its own: once as it is, once by TLS with a certificate made
here, with links that lead to https. The crawler runs on one core with the options of bench/crawl_peers.sh, alternately by
HTTP and by HTTPS. Verified: as many pages by HTTPS as by HTTP, and certificates are checked against the authority.
"""
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
peers = pathlib.Path(os.environ.get("BOWERBIRD_PEERS", root / "../shared/peers"))
data = pathlib.Path(os.environ.get("BENCH", pathlib.Path.home() / "benchdata"))
which = sys.argv[1] if len(sys.argv) > 1 else "small"
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1
program = sys.argv[3] if len(sys.argv) > 3 else os.environ.get("BOWERBIRD", str(root / "build/release/bowerbird"))
domain = {"small": "small.test", "full": "bench.test"}[which]
INSIDE = ["ip", "netns", "exec", "bench"]


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stderr=subprocess.DEVNULL)


def certificates(folder):
    """An authority, an intermediate and a certificate for all hosts, with P-256 keys."""
    pathlib.Path(folder, "ca.ext").write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n")
    pathlib.Path(folder, "leaf.ext").write_text(f"subjectAltName=DNS:*.{domain}\nextendedKeyUsage=serverAuth\n")
    for name in ("root", "middle", "leaf"):
        openssl(folder, "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")
        if name == "root":
            openssl(folder, "req", "-x509", "-new", "-key", "root.key", "-subj", "/CN=bench root", "-days", "30", "-out", "root.pem")
            continue
        parent = {"middle": "root", "leaf": "middle"}[name]
        openssl(folder, "req", "-new", "-key", f"{name}.key", "-subj", f"/CN=bench {name}", "-out", f"{name}.csr")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{parent}.pem", "-CAkey", f"{parent}.key", "-CAcreateserial",
                "-days", "30", "-extfile", "leaf.ext" if name == "leaf" else "ca.ext", "-out", f"{name}.pem")
    chain = pathlib.Path(folder, "leaf.pem").read_text() + pathlib.Path(folder, "middle.pem").read_text()
    pathlib.Path(folder, "chain.pem").write_text(chain)


def start_tls(folder):
    """The harness's configuration with TLS on port 443."""
    text = (data / "conf/nginx.conf").read_text()
    text = re.sub(r"listen (127\.10\.\d+\.\d+):80;", r"listen \1:443 ssl;", text)
    text = re.sub(r"\n  server \{ listen 127\.0\.0\.1:8099.*", "", text)
    text = re.sub(r"pid [^;]+;", f"pid {folder}/nginx.pid;", text)
    text = re.sub(r"access_log [^;]+;", "access_log off;", text, count=1)
    tls = (f"  ssl_certificate {folder}/chain.pem;\n  ssl_certificate_key {folder}/leaf.key;\n  ssl_session_cache shared:s:10m;\n"
           f"  sub_filter 'href=\"http://' 'href=\"https://';\n  sub_filter_once off;\n")
    text = text.replace("http {\n", "http {\n" + tls, 1)
    pathlib.Path(folder, "nginx.conf").write_text(text)
    subprocess.run(["taskset", "-c", "1", *INSIDE, "nginx", "-c", f"{folder}/nginx.conf", "-p", folder], check=True)


def crawl(folder, scheme, number):
    out = f"{folder}/{scheme}{number}"
    command = ["taskset", "-c", "0", *INSIDE, program, "crawl", f"{scheme}://portal.{domain}/", "--scope", "host", "--host",
               f"*.{domain}", "--policy", "fpr@100", "--warc", "none", "--out", out, "--quiet", "--no-report", "--contact",
               "bench@bowerbird.example", "--allow-net", "127.0.0.0/8", "--delay", "0", "--adapt", "0", "--connections", "16",
               "--connections-per-host", "16", "--parsers", "0", "--network-threads", "0", "--certificates", f"{folder}/root.pem"]
    begin = time.monotonic()
    _, code, used = os.wait4(subprocess.Popen(command).pid, 0)
    if code != 0:
        sys.exit(f"the crawl ended with {code}")
    status = json.loads(subprocess.run([program, "status", out, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    cpu = used.ru_utime + used.ru_stime
    subprocess.run(["rm", "-rf", out], check=True)
    return {"pages": status["pages"], "rate": status["pages"] / cpu, "seconds": time.monotonic() - begin, "mb": used.ru_maxrss * 1024 / 1e6}


def main():
    subprocess.run([str(peers / "serve.sh"), "start"], check=True, stdout=sys.stderr)
    seen = {"http": [], "https": []}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        certificates(folder)
        start_tls(folder)
        try:
            for number in range(repeats):
                for scheme, of in seen.items():
                    of.append(crawl(folder, scheme, number))
                    print(scheme, of[-1], file=sys.stderr, flush=True)
        finally:
            os.kill(int(pathlib.Path(folder, "nginx.pid").read_text()), signal.SIGTERM)
    if abs(seen["https"][0]["pages"] - seen["http"][0]["pages"]) > seen["http"][0]["pages"] / 100:
        sys.exit(f"{seen['http'][0]['pages']} pages by HTTP, but {seen['https'][0]['pages']} by HTTPS")
    rate = {scheme: statistics.median(one["rate"] for one in of) for scheme, of in seen.items()}
    runs = "one run each" if repeats == 1 else f"median of {repeats} runs each"
    lines = [" ".join(__doc__.split("\n\n")[2].split()), "", f"The {which} set; {runs}. Load of the machine at the end: {os.getloadavg()[0]:.1f}.", "",
             "| | pages | pages/CPU-s | of HTTP's | MB at most |", "|---|---|---|---|---|"]
    for scheme, of in seen.items():
        lines.append(f"| {scheme.upper()} | {of[-1]['pages']:,} | {rate[scheme]:,.0f} | {rate[scheme] / rate['http']:.2f} | {of[-1]['mb']:.0f} |")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
