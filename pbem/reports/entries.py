"""Entries of a log as people read them: one line each, or one entry with all that belongs to it."""

from __future__ import annotations

import json

from pbem.kernel import Json
from pbem.ledger import Entry, Log, fingerprint
from pbem.words import _

from .text import groups


def describe(log: Log, entry: Entry) -> str:
    """Return one line: number, what it is, who, and what is open of it in this copy."""
    return f"{entry.n:5}  {entry.k:6} {_what(log, entry)}".rstrip()


def describe_whole(log: Log, entry: Entry) -> str:
    """Return an entry with its fields, its hash, and the openings, links, heads and receipts that belong to it."""
    shown = {name: value for name, value in entry.fields.items() if name not in ("n", "k")}
    lines = [describe(log, entry), "", json.dumps(shown, indent=1, ensure_ascii=False, sort_keys=True), ""]
    lines.append(_("hash  {hash}", hash=groups(entry.hash)))
    mentioned = entry.line.decode()
    for attachment in log.attachments:
        fields = attachment.fields
        match attachment.k:
            case "seal" if attachment.digest in mentioned:
                value = json.dumps(fields[6], ensure_ascii=False)
                lines.append(_("opens “{name}” of {who}: {value}", name=fields[4], who=fields[2], value=value))
            case "link" if entry.k == "rand" and fields[2:4] == [entry.fields["chain"], entry.fields["i"]]:
                lines.append(_("link  {label} {i}: {link}", label=fields[2], i=fields[3], link=fields[4]))
            case "head" if fields[2] == entry.n:
                lines.append(_("head  signed by the host"))
            case "got" if entry.k == "order" and fields[3] == entry.fields["at"]:
                lines.append(_("got   the host's receipt, {at}", at=fields[3]))
    return "\n".join(lines)


def _what(log: Log, entry: Entry) -> str:
    fields = entry.fields
    match entry.k:
        case "game":
            rules = fields["rules"]
            seats, key = ", ".join(fields["seats"]), fingerprint(fields["host"])
            return _("{rules} {ver}, {seats}, host {key}", rules=rules["id"], ver=rules["ver"], seats=seats, key=key)
        case "join":
            key = fingerprint(fields["say"]["key"])
            return _("{seat} {key} at {at}", seat=fields["by"], key=key, at=fields["at"])
        case "ready":
            return _("{seat} at {at}", seat=fields["by"], at=fields["at"])
        case "ask":
            more = [_("secret {secret}", secret=fields["secret"])]
            more += [_("mark {mark}", mark=fields["mark"])] if "mark" in fields else []
            more += [_("due {due}", due=fields["due"])] if "due" in fields else []
            return f"{', '.join(fields['to'])}: {fields['what']} ({', '.join(more)})"
        case "order":
            say, order = fields["say"], _order(log, fields["say"])
            if say["act"] == "ahead":
                found = {"seat": fields["by"], "mark": say["link_n"], "order": order, "at": fields["at"]}
                return _("{seat}, sent ahead for mark {mark}: {order} at {at}", **found)
            return _(
                "{seat} to {ask}: {order} at {at}", seat=fields["by"], ask=say["ask"], order=order, at=fields["at"]
            )
        case "skip":
            return _("{seat} did not answer {ask} at {at}", seat=fields["to"], ask=fields["ask"], at=fields["at"])
        case "rand":
            return f"{fields['chain']} {fields['i']}: {_result(fields)}"
        case "tell":
            return _("{count} facts told to all", count=len(fields["pub"]["facts"]))
        case "say":
            about = f" {fields['say']['about']}" if "about" in fields["say"] else ""
            if "hours" in fields["say"]:
                return _(
                    "{seat}: {act} {hours} hours",
                    seat=fields["by"],
                    act=fields["say"]["act"],
                    hours=fields["say"]["hours"],
                )
            return f"{fields['by']}: {fields['say']['act']}{about}"
        case "rekey":
            key = fingerprint(fields["say"]["key"])
            return _("{seat} {key} at {at}", seat=fields["by"], key=key, at=fields["at"])
        case "host":
            key = fingerprint(fields["key"])
            return _("another host, {key}, from entry {n} on", key=key, n=fields["seen"][0])
        case "amend":
            what = json.dumps(fields["what"], ensure_ascii=False)
            return _("{what} agreed at {entries}", what=what, entries=", ".join(map(str, fields["agreed"])))
        case "extend":
            return _("question {ask} until {due} ({why})", ask=fields["ask"], due=fields["due"], why=fields["why"])
        case "end":
            return json.dumps(fields["result"], ensure_ascii=False)
    return ""


def _order(log: Log, say: Json) -> str:
    digest = say["seals"]["order"]
    text = next((str(a.fields[6]) for a in log.attachments if a.k == "seal" and a.digest == digest), None)
    return _("(sealed)") if text is None else text.replace("\n", "; ")


def _result(fields: Json) -> str:
    if "res" in fields:
        return "; ".join(" ".join(map(str, one)) for one in fields["res"])
    return _("sealed")
