#!/bin/sh
# Every night, after care.sh: the newest backup goes elsewhere, encrypted, and a drill shows that it can be restored.
# Two settings in /etc/pbem-host.env (with both, care.sh calls this once a day):
#   PBEM_RECIPIENT  who can read it: an age public key (age1…), or the name of a GnuPG key. Keep the secret half in another building;
#                   nothing on this machine can decrypt what it has sent.
#   PBEM_AWAY       where it goes: a folder (a mounted disk), or machine:folder for scp. There, PBEM_AWAY/club-2026-11-30.sqlite.age.
# Retention: 14 days, and of older ones the first of each month for 13 months. A machine:folder keeps its own retention: run this
# script there with PBEM_PRUNE=folder, so that a break-in here cannot delete what is there (give this machine a key that only adds).
set -u
name=${PBEM_NAME:-club}
failed=0

prune() { # FOLDER: delete what is older than 14 days and not of the first of a month, and what is older than 400 days
    find "$1" -name "$name-????-??-??.sqlite.*" ! -name '*-01.sqlite.*' -mtime +14 -delete || failed=1
    find "$1" -name "$name-????-??-??.sqlite.*" -mtime +400 -delete || failed=1
}

if [ -n "${PBEM_PRUNE:-}" ]; then
    prune "$PBEM_PRUNE"
    exit $failed
fi

kept=${PBEM_KEPT:-/home/club/backup}
saved=$(ls -t "$kept"/*.sqlite 2>/dev/null | head -n 1)
[ -n "$saved" ] || { echo "away.sh: there is no backup in $kept" >&2; exit 1; }
pbem host drill "$saved" || failed=1

umask 077
part=$(mktemp -d) || exit 1
trap 'rm -rf "$part"' EXIT
case ${PBEM_RECIPIENT:?who can read it} in
age1*) sealed=$part/$name-$(date +%F).sqlite.age; age -r "$PBEM_RECIPIENT" -o "$sealed" "$saved" ;;
*) sealed=$part/$name-$(date +%F).sqlite.gpg; gpg --batch --yes --trust-model always -r "$PBEM_RECIPIENT" -o "$sealed" -e "$saved" ;;
esac || { echo "away.sh: $saved could not be encrypted, and has not been sent" >&2; exit 1; }

case ${PBEM_AWAY:?where it goes} in
*:*) scp -q "$sealed" "$PBEM_AWAY/" || failed=1 ;;
*) cp "$sealed" "$PBEM_AWAY/.part" && mv "$PBEM_AWAY/.part" "$PBEM_AWAY/${sealed##*/}" && prune "$PBEM_AWAY" || failed=1 ;;
esac
[ $failed = 0 ] || echo "away.sh: see above" >&2
exit $failed
