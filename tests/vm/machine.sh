# A small Debian with systemd and control groups, in qemu without hardware's help: to be sourced. MACHINE is where it is kept.
#
# machine_make        once: its files, with what `check.sh` needs in it
# machine_disk        a disk of these files, and of whatever was put among them
# machine_boot [WORD] runs it until it turns itself off, or, where WORD is given, until that stands on its console: then its power goes
# machine_results     /results of the disk, to $MACHINE/results
: "${MACHINE:=$PWD/target/vm}"
ROOT=$MACHINE/root
DISK=$MACHINE/disk
PACKAGES=systemd-sysv,dbus,dbus-user-session,libpam-systemd,procps,bubblewrap,stockfish,tmux,python3,gcc,podman,uidmap,sqlite3,nats-server,openssl,\
openssh-server
# No longer than this for one boot to its end.
: "${MACHINE_LIMIT:=840}"

machine_make() {
  for tool in qemu-system-x86_64:qemu-system-x86 mmdebstrap:mmdebstrap mkfs.ext4:e2fsprogs debugfs:e2fsprogs; do
    command -v "${tool%%:*}" >/dev/null || missing="${missing:-} ${tool#*:}"
  done
  if [ -n "${missing:-}" ]; then
    apt-get -qq update
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing
  fi
  [ -e "$MACHINE/vmlinuz" ] && [ "$(cat "$MACHINE/packages" 2>/dev/null)" = "$PACKAGES" ] && return
  rm -rf "$MACHINE"
  mkdir -p "$MACHINE"
  # Programs that were built here run there: the same system, where it is Debian.
  suite=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME" || echo stable)
  mmdebstrap --quiet --variant=minbase --include="$PACKAGES" --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook="cd '$MACHINE' && APT_CONFIG=\$MMDEBSTRAP_APT_CONFIG apt-get -qq download \
      \$(APT_CONFIG=\$MMDEBSTRAP_APT_CONFIG apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image-/ {print \$2; exit}')" \
    "$suite" "$ROOT"
  dpkg-deb --fsys-tarfile "$MACHINE"/linux-image-*.deb | tar -xOf - --wildcards './boot/vmlinuz-*' > "$MACHINE/vmlinuz.new"
  rm "$MACHINE"/linux-image-*.deb
  chroot "$ROOT" useradd --system --create-home --uid 900 --shell /bin/bash swissmatch
  chroot "$ROOT" useradd --create-home --uid 1000 --shell /bin/bash organizer
  chroot "$ROOT" systemctl -q mask serial-getty@ttyS0 getty@tty1 systemd-timesyncd systemd-modules-load apt-daily.timer apt-daily-upgrade.timer
  # For who needs them.
  chroot "$ROOT" systemctl -q disable nats-server ssh 2>/dev/null
  echo vm > "$ROOT/etc/hostname"
  : > "$ROOT/etc/fstab"
  cat > "$ROOT/etc/systemd/system/vm-check.service" <<'UNIT'
[Unit]
After=multi-user.target
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/bin/bash -c 'mkdir -p /results; bash /opt/vm-check/within.sh >>/results/log 2>&1; sync'
[Install]
WantedBy=default.target
UNIT
  chroot "$ROOT" systemctl -q enable vm-check 2>/dev/null
  echo "$PACKAGES" > "$MACHINE/packages"
  mv "$MACHINE/vmlinuz.new" "$MACHINE/vmlinuz"
}

machine_disk() {
  rm -f "$DISK"
  # With a journal: its power goes.
  mkfs.ext4 -q -d "$ROOT" "$DISK" 4G
}

machine_boot() {
  : > "$MACHINE/console"
  timeout "$MACHINE_LIMIT" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu max -smp 2 -m 2G -nic none -nographic -no-reboot \
    -kernel "$MACHINE/vmlinuz" -append 'root=/dev/nvme0n1 rw console=ttyS0 quiet loglevel=2 panic=-1 mitigations=off' \
    -drive file="$DISK",if=none,id=d,format=raw,cache=unsafe -device nvme,drive=d,serial=1 \
    < /dev/null > "$MACHINE/console" 2>&1 &
  machine=$!
  if [ -n "${1:-}" ]; then
    until grep -q "$1" "$MACHINE/console" || ! kill -0 "$machine" 2>/dev/null; do sleep 0.2; done
    pkill -KILL -P "$machine"
  fi
  wait "$machine" || true
}

machine_results() {
  rm -rf "$MACHINE/results"
  debugfs -R "rdump /results $MACHINE" "$DISK" 2>/dev/null
}
