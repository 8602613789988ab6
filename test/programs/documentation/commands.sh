# The shell in which the commands of a page are run; see commands.ts.
set -eEuo pipefail
trap 'echo "The block at line ${BLOCK:-?} failed: $BASH_COMMAND" >&2; cat "$PLACE"/*.log >&2' ERR
trap 'stop_serving' EXIT

# What is installed stays in this namespace.
for folder in /usr/local/bin /etc/systemd/system /var/backups /var/lib/caseload; do
  mkdir -p "$folder" "$PLACE/machine$folder"
  cp -a "$folder/." "$PLACE/machine$folder/"
  mount --bind "$PLACE/machine$folder" "$folder"
done

# A shell that can be root, with `caseload` from this checkout until a page installs the program.
mkdir "$PLACE/shims"
PATH=/usr/local/bin:$PATH:$PLACE/shims
cat >"$PLACE/shims/caseload" <<SHIM
#!/bin/sh
exec "$BUN" "$PWD/src/main.ts" "\$@"
SHIM
chmod +x "$PLACE"/shims/*

sudo() {
  case $1 in --preserve-env=*) shift ;; esac
  "$@"
}

# A refusal is a failure.
echo fail-with-body >"$PLACE/.curlrc"
export CURL_HOME=$PLACE

# Runs what serves, until something else does, and waits for its address.
in_background() {
  stop_serving
  # In a group of its own: npx and bun run hand no signal on to what they started.
  setsid "$@" >"$PLACE/serving.log" 2>&1 &
  SERVING=$!
  for _ in $(seq 300); do
    if grep -q 'answers at http' "$PLACE/serving.log"; then
      DEMO_KEY=$(grep -aoE 'caseload_[A-Za-z0-9_-]{20,}' "$PLACE/serving.log" | head -1 || true)
      return 0
    fi
    kill -0 "$SERVING"
    sleep 0.1
  done
  return 1
}

stop_serving() {
  [ -n "${SERVING:-}" ] || return 0
  kill -- "-$SERVING" 2>/dev/null || true
  while pgrep -g "$SERVING" >/dev/null; do sleep 0.05; done
  SERVING=
}

systemctl() {
  case $1 in
    daemon-reload) ;;
    stop) stop_serving ;;
    enable | start | restart)
      local unit=/etc/systemd/system/caseload.service
      local database
      database=$(sed -n 's|^Environment=DATABASE_URL=%S|/var/lib|p' "$unit")
      in_background env DATABASE_URL="$database" $(sed -n 's/^ExecStart=//p' "$unit")
      ;;
    *) return 1 ;;
  esac
}

# The head of a chain, as the trail's proof prints it.
head_of() {
  caseload audit verify | grep -oE "$1:[0-9]+:[0-9a-f]+"
}

a_practice_file() {
  cp "$PRACTICE" practice.ndjson
}

a_practice() {
  caseload import "$PRACTICE"
}

a_demo_server() {
  "$BUN" install --frozen-lockfile --silent
  in_background env DATABASE_URL=caseload.db "$BUN" src/main.ts serve --demo
}
