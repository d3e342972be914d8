#!/bin/sh
# Holds a fresh server against its own descriptions: every call against
# OpenAPI, by schemathesis, and the streams' document against AsyncAPI.
#   run.sh PROGRAM VENV NODE_MODULES EXAMPLES
set -eu
program=$1 venv=$2 NODE_PATH=$3 examples=$4
export NODE_PATH
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
"$program" serve --listen 127.0.0.1:0 --store "sqlite:$scratch/parlor.db" --limits off \
  --bot-pace 0 --admin-token the-house-itself >"$scratch/said" 2>"$scratch/complained" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do
  url=$(sed -n 's/^Parlor is open at //p' "$scratch/said")
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || { cat "$scratch/complained" >&2; exit 1; }

node "$here/asyncapi.js" "$url"

# Bots play a game to its end; its log is what can be told again.
table=$(curl -sf "$url/api/v1/tables" \
  -d '{"game": "dice", "rules": "quick", "seats": [{"kind": "bot"}, {"kind": "bot"}]}' | jq -r .table_id)
for _ in $(seq 100); do
  [ "$(curl -sf "$url/api/v1/tables/$table" | jq -r .status)" = finished ] && break
  sleep 0.1
done
PARLOR_LOG="$scratch/log" PARLOR_URL=$url
curl -sf "$url/api/v1/tables/$table/log?view=postmortem" >"$PARLOR_LOG"
export PARLOR_LOG PARLOR_URL PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=hooks

cd "$scratch"
hold() {
  echo "$1"
  shift
  PYTHONPATH=$here "$venv/bin/schemathesis" --config-file "$here/schemathesis.toml" \
    run "$url/api/openapi.json" --phases examples,coverage,fuzzing,stateful \
    --seed 1 --max-examples "$examples" --warnings off "$@"
}
# Who asks decides how far a call gets. What one of them finds does not keep the
# others from looking.
found=0
hold 'As a stranger:' || found=1
hold 'As the admin:' --header 'Authorization: Bearer the-house-itself' || found=1
PARLOR_SEATED=1 hold 'As a player:' || found=1
exit $found
