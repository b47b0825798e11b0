#!/bin/bash
# make vm-check: the units of configs/deploy in a machine of its own, as they are documented: their control groups, the hostile table as
# their user, a runner and a worker that are killed, stops and a power cut in the middle of an event, the recipe for podman, and a worker
# behind ssh whose line is cut. Prints a table; some minutes, and some more where the machine has to be made first. Needs root, and the
# programs of `make test`.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/vm/machine.sh
machine_make
built=$(cargo test --workspace --features workers --bins --examples --tests --no-run --message-format json 2>/dev/null |
  grep -o '"executable":"[^"]*/whole-[^"]*"' | tail -n 1 | cut -d '"' -f 4)
place=$ROOT/opt/vm-check
programs=$ROOT/usr/local/lib/swissmatch
rm -rf "$place" "$programs" "$ROOT/srv/cup" "$ROOT/results"
mkdir -p "$place" "$programs" "$ROOT/srv/cup"
for program in swissmatch hostile-agent fault-agent random-mover; do
  strip -o "$programs/$program" "target/debug/$program"
done
strip -o "$place/whole" "$built"
ln -f "$programs/swissmatch" "$ROOT/usr/local/bin/swissmatch"
cp tests/vm/within.sh tests/vm/cup.toml "$place"
cp configs/deploy/swissmatch.service configs/deploy/swissmatch-worker.service "$ROOT/etc/systemd/system"
# Where tests look for what they compare with.
mkdir -p "$ROOT$PWD/docs" "$ROOT$PWD/tests"
cp -r docs/schema "$ROOT$PWD/docs"
# What podman starts.
rm -rf "$ROOT/srv/base"
mkdir -p "$ROOT/srv/base"/{proc,sys,dev,run,tmp,var/tmp,event}
chmod 1777 "$ROOT/srv/base/tmp" "$ROOT/srv/base/var/tmp"
cp -al "$ROOT"/{etc,usr,bin,lib,lib64,sbin} "$ROOT/srv/base"
begun=$SECONDS
machine_disk
machine_boot 'vm-check: cut the power'
machine_boot
machine_results
cat "$MACHINE/results/table"
echo "$((SECONDS - begun)) s in the machine; what was said: $MACHINE/results"
! grep -q 'FAILED$' "$MACHINE/results/table" && grep -q '^the end' "$MACHINE/results/table"
