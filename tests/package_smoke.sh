#!/bin/sh
# package_smoke.sh chroot|container DEB CACHE: installs the package into a fresh Debian and crawls a small test Web
# with it there. CACHE keeps the base system (mmdebstrap) for the next time: Debian's smallest, and what the package
# depends on. Needs root and the Debian archive.
set -eu
how=$1 deb=$(readlink -f "$2") cache=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$cache"
needs=$(dpkg-deb -f "$deb" Depends | sed 's/ *([^)]*)//g; s/ //g')
base=$(readlink -f "$cache")/base-$(printf %s "$needs" | md5sum | cut -c 1-8).tar
[ -s "$base" ] || { mmdebstrap --mode=root --format=tar --variant=apt --include="$needs" bookworm "$base.part" >&2 &&
  mv "$base.part" "$base"; }
work=$(mktemp -d "$cache/smoke.XXXXXX")
work=$(readlink -f "$work")
trap 'rm -rf --one-file-system "$work"' EXIT

# Serves a test Web on loopback, crawls thirty pages of it, and reads the folder again.
cat > "$work/smoke" <<'END'
#!/bin/sh
set -eu
cd "$(mktemp -d)"
bowerbird --version
bowerbird web serve synthetic:pages=1k --port 0 > served 2>&1 &
server=$!
trap 'kill $server' EXIT
until grep -q '^ready' served; do kill -0 $server; sleep 0.1; done
address=127.0.0.1:$(sed -n 's/.* *port=\([0-9]*\) .*/\1/p' served)
seed=$(sed -n 's/.* page=//p' served)
bowerbird crawl "$seed" --scope any --pages 30 --connect-to "$address" --allow-net 127.0.0.0/8 --delay 0 \
  --contact you@example.org --out mycrawl
bowerbird status mycrawl
bowerbird warc verify mycrawl
echo "smoke: ok as $(id -u)"
END
chmod 755 "$work/smoke"

in_chroot() {
  mkdir "$work/root"
  tar -C "$work/root" -xf "$base"
  cp "$deb" "$work/root/bowerbird.deb"
  cp "$work/smoke" "$work/root/smoke"
  chroot "$work/root" dpkg -i /bowerbird.deb >&2
  chroot "$work/root" useradd -m crawler
  for file in usr/share/man/man1/bowerbird.1.gz usr/share/bash-completion/completions/bowerbird \
              usr/lib/systemd/system/bowerbird@.service etc/bowerbird; do
    [ -e "$work/root/$file" ] || { echo "missing: /$file" >&2; exit 1; }
  done
  unshare --mount sh -c 'mount -t proc proc "$1/proc" && chroot --userspec=crawler "$1" /smoke' sh "$work/root"
  chroot "$work/root" dpkg --purge bowerbird >&2
  [ ! -e "$work/root/usr/bin/bowerbird" ]
}

# The second stage of the Containerfile, on our base image and with our package instead of the first stage.
in_container() {
  export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
  store="--root $work/store --runroot $work/run"
  mkdir "$work/first"
  cp "$deb" "$work/first/"
  id=$(buildah $store from scratch)
  buildah $store add -q "$id" "$base" / >&2
  buildah $store commit -q "$id" localhost/base >&2
  buildah $store rm "$id" >&2
  buildah $store build -q --network host --build-arg BASE=localhost/base --build-context build="$work/first" \
    -t localhost/bowerbird -f "$here/../packaging/Containerfile" "$here/.." >&2
  id=$(buildah $store from localhost/bowerbird)
  buildah $store copy -q --chmod 755 "$id" "$work/smoke" /smoke >&2
  buildah $store run --network host "$id" -- /smoke
  buildah $store rm "$id" >&2
}

case $how in
  chroot) in_chroot ;;
  container) in_container ;;
  *) echo "chroot or container is expected" >&2; exit 64 ;;
esac
