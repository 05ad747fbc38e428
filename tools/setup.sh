# Shared by ./run and ./test: installs what is missing and builds. POSIX sh, sourced with $root set.
# Everything here prints to stderr; stdout is for the program.

# packages SECTION...: the package names of these sections of tools/packages.txt.
packages() {
  for section in "$@"; do
    sed -n "/^# $section\$/,/^# /p" "$root/tools/packages.txt" | grep -v '^#'
  done
}

# ensure_packages SECTION...: installs the missing ones, or prints what to install and stops.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "bowerbird: this is not a Debian system; if the build fails, install the libraries named in tools/packages.txt" >&2
    return 0
  fi
  missing=
  for package in $(packages "$@"); do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
      *" installed") ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1; then
      as_root=sudo
    else
      echo "bowerbird: these packages are missing and neither root nor sudo is at hand. As root, run:" >&2
      echo "  apt-get install$missing" >&2
      exit 69
    fi
  fi
  echo "bowerbird: installing$missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine has no package lists; an old list may name files that no longer exist.
  # shellcheck disable=SC2086
  $as_root apt-get install -y --no-install-recommends $missing >&2 2>/dev/null ||
    { $as_root apt-get update >&2 && $as_root apt-get install -y --no-install-recommends $missing >&2; } ||
    { echo "bowerbird: installing failed (see above). By hand: apt-get update && apt-get install$missing" >&2; exit 69; }
}

# build PRESET TARGET...: configures once, then builds what is out of date; silent when nothing is.
build() {
  preset=$1
  shift
  dir=$root/build/$preset
  if [ ! -f "$dir/build.ninja" ]; then
    (cd "$root" && cmake --preset "$preset") >&2 || exit 70
  fi
  # ninja's exit code bypasses the filter, which passes each line on as soon as it is complete.
  code=$({ { ninja -C "$dir" "$@" 2>&1; echo $? >&3; } |
    grep --line-buffered -v -e 'Re-checking globbed' -e 'no work to do' -e 'Entering directory' >&2 || true; } 3>&1)
  [ "$code" = 0 ] || exit 70
}
