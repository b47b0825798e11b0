# In the machine, as root: what `make vm-check` tries there. Each step is a line of the table: what, in how many seconds, how it went.
results=/results
place=/opt/vm-check

# Runs what the unit's user would, under the unit's own settings; what it says goes to $results/$1.
as_unit() {
  sed -e 's|^ExecStart=.*|ExecStart=/bin/bash /opt/vm-check/job.sh|; s|^Type=.*|Type=oneshot|' \
    -e '/^Restart/d; /^StartLimit/d; /^\[Install\]/,$d' /etc/systemd/system/swissmatch.service > /etc/systemd/system/as-unit.service
  printf '[Service]\nTimeoutStartSec=infinity\nStandardOutput=append:%s/%s\nStandardError=append:%s/%s\n' "$results" "$1" "$results" "$1" \
    > /run/as-unit.conf
  mkdir -p /etc/systemd/system/as-unit.service.d
  cp /run/as-unit.conf /etc/systemd/system/as-unit.service.d/output.conf
  echo "$2" > "$place/job.sh"
  systemctl daemon-reload
  systemctl start as-unit.service
}

# A step: its name for the table, and a function.
step() {
  begun=$SECONDS
  if "$2" >> "$results/$2" 2>&1; then how=ok; else how=FAILED; fi
  printf '%-72s %4s s  %s\n' "$1" "$((SECONDS - begun))" "$how" | tee -a "$results/table"
  sync
}

# Whether a value of the one record of a run is as it should be: an expression of Python about `record`.
record_has() {
  swissmatch export records "/srv/cup/$1" | python3 -c "import json, sys
record = json.loads(sys.stdin.readline())
print(json.dumps(record))
sys.exit(not ($2))"
}

# One game of an agent against one that sleeps: name, keys, the agent's arguments.
game() {
  cat > "/srv/cup/$1.toml" <<EVENT
[event]
name = "$1"
[swiss]
rounds = 1
seeding = "listed"
[mini_match]
games = 1
openings = "none"
$2
[[player]]
name = "Tries"
command = "env"
args = ["--ignore-signal=CHLD", "/usr/local/lib/swissmatch/fault-agent", $3]
[[player]]
name = "Sleeps"
command = "/usr/local/lib/swissmatch/fault-agent"
args = ["--fault", "sleep", "--ms", "1000"]
EVENT
  as_unit "game-$1" "swissmatch run $1.toml --out $1"
}

groups() {
  as_unit doctor 'swissmatch doctor --json > /srv/cup/doctor.json'
  cat /srv/cup/doctor.json
  python3 -c "import json
found = json.load(open('/srv/cup/doctor.json'))
groups = found['means']['control_groups']
assert groups['engines'] and sorted(groups['bounds']) == ['memory', 'processes'], groups
assert not found['missing'], found['missing']"
}

hidden_thinking_is_told() {
  game told $'[game]\nmax_moves = 3\ntime_control = "20s/move"' '"--fault", "burn-hidden", "--lines", "2", "--ms", "0"'
  record_has told "record['off_turn'][0]['processor_us'] > 0.15 * record['off_turn'][0]['measured_us']"
}

hidden_thinking_is_stopped() {
  game stopped $'[game]\nmax_moves = 3\ntime_control = "20s/move"\n[engine]\nisolation = "sealed"' \
    '"--fault", "burn-hidden", "--lines", "2", "--ms", "0"'
  record_has stopped "record['off_turn'][0]['processor_us'] < 0.05 * record['off_turn'][0]['measured_us'] and record['termination'] == 'move-cap'"
}

doubt_wins_nothing() {
  game doubt $'[game]\nmax_moves = 3\nattempts = 1\ntime_control = "1s/move"' '"--fault", "burn-hidden", "--lines", "9", "--ms", "800"'
  record_has doubt "record['termination'] == 'time-forfeit' and record['result'] == '0-1'"
}

memory_is_bounded() {
  game memory $'[game]\nmax_moves = 3\ntime_control = "20s/move"\n[engine]\nmax_memory = 200' '"--fault", "take-memory", "--at", "2"'
  record_has memory "record['resource'] == 'memory' and record['result'] == '0-1'"
}

processes_are_bounded() {
  game processes $'[game]\nmax_moves = 3\ntime_control = "20s/move"\n[engine]\nmax_processes = 100' '"--fault", "take-threads", "--at", "2"'
  record_has processes "record['resource'] == 'processes' and record['result'] == '0-1'"
}

hostile_table() {
  as_unit hostile 'cd /tmp && SWISSMATCH_COMPARED=/usr/local/lib/swissmatch/swissmatch TMPDIR=/tmp exec /opt/vm-check/whole hostile:: --test-threads 1'
}

# Games of the event that are in the log.
finished() {
  sqlite3 -readonly /srv/cup/run/run.sqlite "SELECT count(*) FROM entries WHERE kind = 'game-finished'" 2>/dev/null || echo 0
}

until_finished() {
  for _ in $(seq 600); do
    [ "$(finished)" -ge "$1" ] && return 0
    sleep 0.5
  done
  return 1
}

runner_is_killed() {
  systemctl start swissmatch
  until_finished 2 || return 1
  kill -KILL "$(systemctl show -p MainPID --value swissmatch)"
  before=$(finished)
  until_finished $((before + 1))
}

stop_lets_games_end() {
  systemctl stop swissmatch
  [ "$(systemctl show -p Result --value swissmatch)" = success ] || return 1
  systemctl --no-pager status swissmatch
  # Nobody is left, and the log is whole.
  ! pgrep -u swissmatch . || return 1
  runuser -u swissmatch -- swissmatch verify /srv/cup/run
}

goes_on_after_a_power_cut() {
  # It was enabled, so it has begun by itself.
  for _ in $(seq 600); do
    [ "$(systemctl show -p ActiveState --value swissmatch)" = inactive ] && break
    sleep 0.5
  done
  echo "$(cat "$results/before") games before, $(finished) now"
  systemctl --no-pager status swissmatch
  [ "$(systemctl show -p Result --value swissmatch)" = success ] && [ "$(finished)" = 12 ] || return 1
  runuser -u swissmatch -- swissmatch verify /srv/cup/run
}

podmans_recipe() {
  install -d -o organizer /srv/organizer
  # It puts files of its own there.
  chown organizer /srv/base /srv/base/run /srv/base/etc
  install -o organizer -m 644 "$place/cup.toml" /srv/organizer/event.toml
  sed -i 's/rounds = 3/rounds = 1/' /srv/organizer/event.toml
  mkdir -p /run/user/1000 && chown organizer /run/user/1000
  runuser -l organizer -c "export XDG_RUNTIME_DIR=/run/user/1000; podman --cgroup-manager cgroupfs --storage-driver vfs run --rm --network none \
    --security-opt unmask=ALL -v /srv/organizer:/event -w /event --rootfs /srv/base swissmatch run event.toml --out cup" &&
    runuser -l organizer -c 'swissmatch verify /srv/organizer/cup'
}

if ! [ -e "$results/before" ]; then
  chown swissmatch /srv/cup
  install -o swissmatch -m 644 "$place/cup.toml" /srv/cup/event.toml
  # As documented, but for how long it waits before it begins anew.
  mkdir -p /etc/systemd/system/swissmatch.service.d
  printf '[Service]\nRestartSec=1\nExecStart=\nExecStart=/usr/local/bin/swissmatch run event.toml --out run --quiet\n' \
    > /etc/systemd/system/swissmatch.service.d/check.conf
  systemctl daemon-reload
  step 'the unit gives control groups that bound memory and processes' groups
  step 'hidden thinking is told with all of its processor time' hidden_thinking_is_told
  step 'it is stopped on its opponent'\''s turn' hidden_thinking_is_stopped
  step 'who would win by doubt loses on time' doubt_wins_nothing
  step 'the kernel holds a group to its memory' memory_is_bounded
  step 'and to its processes' processes_are_bounded
  step 'the hostile table, as the user of the unit' hostile_table
  step 'a runner that is killed begins anew' runner_is_killed
  step 'a stop in the middle lets games end' stop_lets_games_end
  systemctl -q enable swissmatch
  systemctl start swissmatch
  until_finished 6
  sync
  finished > "$results/before"
  sync
  echo 'vm-check: cut the power' > /dev/console
  sleep 600
else
  step 'an event goes on after a power cut' goes_on_after_a_power_cut
  step 'podman as an ordinary user, sealed' podmans_recipe
  echo 'the end' >> "$results/table"
fi
