#!/bin/sh
# Installs by apt what the tests need and is absent: real engines, a PGN parser that is not ours, a look at system calls, a
# terminal that an agent could take over, a browser, a file system that can be shut down, namespaces for agents, a server that carries
# games to workers and a line to it that can be cut, a judge of signatures, what a job of continuous integration has, and the
# interpreters that agents are written for. From Python's registry: the schemas of workflows and the check of dependencies, and services
# that models are asked at. With `long` also what only the long tests need: pandas, which reads the tables of a run as notebooks do.
set -eu
missing=""
PATH="$PATH:/usr/games:/usr/sbin:/sbin"
for tool in stockfish gnuchess pgn-extract sqlite3 strace tmux git curl; do
  command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
for pair in mkfs.xfs:xfsprogs bwrap:bubblewrap ssh-keygen:openssh-client node:nodejs npm:npm chromium:chromium nats-server:nats-server openssl:openssl ip:iproute2 java:default-jre-headless python3:python3; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
python3 -c "import ensurepip" 2>/dev/null || missing="$missing python3-venv"
if [ "${1:-}" = long ]; then
  /usr/bin/python3 -c "import pandas" 2>/dev/null || missing="$missing python3-pandas"
fi
if [ -n "$missing" ]; then
  echo "installing for the tests:$missing"
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo"
  $as_root apt-get update -q
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $missing
fi
# What is from Python's registry is in environments of its own: no program of swissmatch has anything of it.
cd "$(dirname "$0")/.."
for of in workflow service; do
  tools=target/$of-tools
  pins=tests/programs/${of}s/requirements.txt
  cmp -s "$pins" "$tools/installed.txt" && continue
  python3 -m venv --clear "$tools"
  "$tools/bin/pip" install --quiet --no-compile --disable-pip-version-check --no-deps -r "$pins"
  cp "$pins" "$tools/installed.txt"
done
