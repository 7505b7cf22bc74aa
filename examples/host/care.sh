#!/bin/sh
# Every hour, by pbem-care.timer or cron, for the account that the host runs under. Each line may fail without the others; the exit
# code says whether one did. A backup holds every secret of the games that are on: see that only you can read where it is copied.
set -u
dir=${PBEM_HOST:-/home/club/host}
kept=${PBEM_KEPT:-/home/club/backup}
numbers=${PBEM_NUMBERS:-}
failed=0

( umask 077; mkdir -p "$kept" ) || failed=1

# A backup of each weekday, and of each month: nineteen files in all.
for name in "$(date +%a)" "$(date +%b)"; do
    pbem host backup "$kept/$name.sqlite" --dir "$dir" || failed=1
done

# Once a day, if the settings of away.sh are there: the newest backup goes elsewhere, encrypted.
if [ -n "${PBEM_AWAY:-}" ] && [ -z "$(find "$kept/sent" -mmin -1400 2>/dev/null)" ]; then
    if "$(dirname "$0")/away.sh"; then touch "$kept/sent"; else failed=1; fi
fi

if grep -q '^\[pages\]' "$dir/host.toml"; then
    pbem host pages --dir "$dir" || failed=1
fi

pbem host check --dir "$dir" || failed=1

# All games by their rules, also those that are over: once a week, and every hour while something is wrong.
if [ -z "$(find "$kept/audited" -mmin -10000 2>/dev/null)" ]; then
    if pbem host audit --all --dir "$dir"; then touch "$kept/audited"; else failed=1; fi
fi

# For Prometheus' node_exporter: --collector.textfile.directory; a file appears there whole or not at all.
if [ -n "$numbers" ]; then
    pbem host status --prometheus --dir "$dir" >"$numbers.part" && mv "$numbers.part" "$numbers" || failed=1
fi
exit $failed
