#!/bin/sh
# Runs a command whose folder for temporary files is in memory and its own, where that may be made: as root, on Linux. Tests make and
# remove files by the ten thousand, which some file systems do slowly (ext4 without a journal looks through all that were removed
# in the last minutes). Nothing of it is left.
set -eu
is_free() {
  for used in "$(pwd -P)" "${CARGO_TARGET_DIR:-}" "${CARGO_HOME:-${HOME:-}}" "${RUSTUP_HOME:-}"; do
    case "$used/" in "$1"/*) return 1 ;; esac
  done
}
for folder in "${TMPDIR:-/tmp}" /var/tmp; do
  if is_free "$folder" && unshare --mount mount -t tmpfs -o mode=1777 tests "$folder" 2>/dev/null; then
    exec unshare --mount sh -euc 'mount -t tmpfs -o mode=1777 tests "$0"; export TMPDIR="$0"; exec "$@"' "$folder" "$@"
  fi
done
exec "$@"
