# In the machine, as root: what `make vm-check` tries there. Each step is a line of the table: what, in how many seconds, how it went.
results=/results
place=/opt/vm-check
event=cup

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

# Games of the event that are in the log, or entries of another kind.
finished() {
  sqlite3 -readonly "/srv/$event/run/run.sqlite" "SELECT count(*) FROM entries WHERE kind = '${1:-game-finished}'" 2>/dev/null || echo 0
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

# An event for workers, which another user has than theirs: its name, how long workers may be silent, and the runner's flags.
workers_event() {
  event=$1
  install -d -o organizer "/srv/$event"
  sed -e "s/\"Cup\"/\"$event\"/; s/sealed/guarded/; s/^time_control.*/nodes = 1000/; s/^\[run\]/&\nlease = \"$2\"/; s/\"100\"/\"500\"/" \
    -e '$a [publish]\nsign = "/srv/owner.key"' "$place/cup.toml" > "/srv/$event/event.toml"
  runuser -u organizer -- sh -c "cd /srv/$event && exec swissmatch run event.toml --out run --quiet --workers $3 --workers-only" &
  runner=$!
}

# It has come to its end with all of its games, and is whole.
workers_event_is_whole() {
  wait "$runner" || return 1
  sqlite3 -readonly "/srv/$event/run/run.sqlite" "SELECT at, kind, body ->> 'id' FROM entries"
  runuser -u organizer -- swissmatch workers "/srv/$event/run"
  [ "$(finished)" = 12 ] && runuser -u organizer -- swissmatch verify "/srv/$event/run"
}

# Agents of a worker that are there.
agents() { pgrep -u swissmatch 'random-mover|fault-agent'; }

until_agents() {
  for _ in $(seq 600); do
    agents && return 0
    sleep 0.1
  done
  return 1
}

# The server as Debian has it and the unit as it is documented: the machine has that name, too.
worker_plays_in_groups() {
  (
    set -e
    echo '127.0.0.1 runner.example.org' >> /etc/hosts
    ssh-keygen -q -t ed25519 -N '' -f /srv/owner.key
    chown organizer /srv/owner.key
    install -d -o swissmatch /srv/worker
    install -d -o organizer /srv/organizer
    install -d -o nats /srv/store /etc/nats
    cp /srv/owner.key.pub /srv/worker/owners.pub
    cd /etc/nats
    echo 'authorization: { users: [' > users.conf
    runuser -u organizer -- swissmatch workers key --runner /srv/organizer/runner.nk >> users.conf
    runuser -u swissmatch -- swissmatch workers key /srv/worker/worker.nk >> users.conf
    echo '] }' >> users.conf
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -subj /CN=organizer
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.csr -subj /CN=runner
    printf 'subjectAltName=DNS:runner.example.org\nbasicConstraints=CA:FALSE\n' > server.ext
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile server.ext -out server.pem
    install -m 644 ca.pem /srv/worker
    chown nats server.key
    cat > /etc/nats-server.conf <<'CONF'
listen: "127.0.0.1:4222"
jetstream: { store_dir: "/srv/store" }
tls: { cert_file: "/etc/nats/server.pem", key_file: "/etc/nats/server.key" }
include "nats/users.conf"
CONF
    systemctl start nats-server swissmatch-worker
  ) || return 1
  workers_event workers 10s 'nats://runner.example.org:4222 --workers-nkey /srv/organizer/runner.nk --workers-ca /srv/worker/ca.pem'
  until_finished 2 && until_agents || return 1
  for agent in $(agents); do cat "/proc/$agent/cgroup"; done | tee "$results/worker-groups"
  systemctl --no-pager status swissmatch-worker | cut -c -150
  # Each has one below the unit's, and none another's.
  [ -s "$results/worker-groups" ] && ! grep -v '^0::/system.slice/swissmatch-worker.service/swissmatch-' "$results/worker-groups" || return 1
  [ -z "$(sort "$results/worker-groups" | uniq -d)" ]
}

# Nobody is left of it.
worker_stops() {
  systemctl stop swissmatch-worker
  systemctl show -p ActiveState -p Result -p ExecMainStatus swissmatch-worker
  [ "$(systemctl show -p Result --value swissmatch-worker)" = success ] &&
    [ "$(systemctl is-active swissmatch-worker)" = inactive ] && ! pgrep -u swissmatch .
}

worker_stop_lets_games_end() {
  until_agents || return 1
  before=$(finished)
  worker_stops || return 1
  # Its games are in the log, and none was broken off.
  echo "$before games before, $(finished) now"
  [ "$(finished)" -gt "$before" ] && [ "$(finished interrupted)" = 0 ]
}

worker_is_killed() {
  systemctl start swissmatch-worker
  until_finished $(($(finished) + 1)) && until_agents || return 1
  kill -KILL "$(systemctl show -p MainPID --value swissmatch-worker)"
  workers_event_is_whole || return 1
  journalctl --no-pager -o short-iso -u swissmatch-worker -u nats-server
  [ "$(systemctl show -p NRestarts --value swissmatch-worker)" = 1 ] && worker_stops || return 1
  systemctl stop nats-server
}

tunnel() {
  runuser -u swissmatch -- ssh -N -L 4223:127.0.0.1:4222 organizer@localhost &
  until bash -c ': > /dev/tcp/127.0.0.1/4223' 2>/dev/null; do sleep 0.2; done
}

cut_for() {
  pkill -u swissmatch -x ssh
  echo "cut after $(finished) games"
  sleep "$1"
  tunnel
}

# With nothing but what the short way has: no keys of the server's, no certificate.
tunnel_is_cut() {
  install -d -m 700 -o organizer ~organizer/.ssh
  install -d -m 700 -o swissmatch ~swissmatch/.ssh
  runuser -u swissmatch -- ssh-keygen -q -t ed25519 -N '' -f ~swissmatch/.ssh/id_ed25519
  install -m 600 -o organizer ~swissmatch/.ssh/id_ed25519.pub ~organizer/.ssh/authorized_keys
  echo "localhost $(cat /etc/ssh/ssh_host_ed25519_key.pub)" > /etc/ssh/ssh_known_hosts
  systemctl start ssh
  runuser -u organizer -- nats-server -js -a 127.0.0.1 -sd /srv/organizer/store &
  server=$!
  workers_event tunnel 20s nats://127.0.0.1:4222
  tunnel
  runuser -u swissmatch -- sh -c 'cd /srv/worker && exec swissmatch worker nats://127.0.0.1:4223 --owner owners.pub --nkey tunnel.nk --dir tunnel --event tunnel' &
  worker=$!
  # First for less than the lease: no game is broken off. Then for longer: its games are, but what it has played meanwhile counts.
  until_finished 2 && until_agents || return 1
  cut_for 2
  until_finished 4 && [ "$(finished interrupted)" = 0 ] && until_agents || return 1
  cut_for 30
  workers_event_is_whole && wait "$worker" || return 1
  pkill -u swissmatch -x ssh
  kill "$server"
  systemctl stop ssh
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
  mkdir -p /etc/systemd/system/swissmatch-worker.service.d
  printf '[Service]\nRestartSec=1\n' > /etc/systemd/system/swissmatch-worker.service.d/check.conf
  systemctl daemon-reload
  step 'a worker as a service plays, each agent in a group of its own' worker_plays_in_groups
  step 'a stop in the middle lets its games end' worker_stop_lets_games_end
  step 'it goes on, is killed and begins anew, and the event comes to its end' worker_is_killed
  step 'a worker behind ssh -L, which is cut twice' tunnel_is_cut
  echo 'the end' >> "$results/table"
fi
