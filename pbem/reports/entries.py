"""Entries of a log as people read them: one line each, or one entry with all that belongs to it."""

from __future__ import annotations

import json

from pbem.kernel import Json
from pbem.ledger import Entry, Log, fingerprint

from .text import groups


def describe(log: Log, entry: Entry) -> str:
    """Return one line: number, what it is, who, and what is open of it in this copy."""
    return f"{entry.n:5}  {entry.k:6} {_what(log, entry)}".rstrip()


def describe_whole(log: Log, entry: Entry) -> str:
    """Return an entry with its fields, its hash, and the openings, links, heads and receipts that belong to it."""
    shown = {name: value for name, value in entry.fields.items() if name not in ("n", "k")}
    lines = [describe(log, entry), "", json.dumps(shown, indent=1, ensure_ascii=False, sort_keys=True), ""]
    lines.append(f"hash  {groups(entry.hash)}")
    mentioned = entry.line.decode()
    for attachment in log.attachments:
        fields = attachment.fields
        match attachment.k:
            case "seal" if attachment.digest in mentioned:
                lines.append(f"opens “{fields[4]}” of {fields[2]}: {json.dumps(fields[6], ensure_ascii=False)}")
            case "link" if entry.k == "rand" and fields[2:4] == [entry.fields["chain"], entry.fields["i"]]:
                lines.append(f"link  {fields[2]} {fields[3]}: {fields[4]}")
            case "head" if fields[2] == entry.n:
                lines.append("head  signed by the host")
            case "got" if entry.k == "order" and fields[3] == entry.fields["at"]:
                lines.append(f"got   the host's receipt, {fields[3]}")
    return "\n".join(lines)


def _what(log: Log, entry: Entry) -> str:
    fields = entry.fields
    match entry.k:
        case "game":
            rules = fields["rules"]
            return f"{rules['id']} {rules['ver']}, {', '.join(fields['seats'])}, host {fingerprint(fields['host'])}"
        case "join":
            return f"{fields['by']} {fingerprint(fields['say']['key'])} at {fields['at']}"
        case "ready":
            return f"{fields['by']} at {fields['at']}"
        case "ask":
            mark = f", mark {fields['mark']}" if "mark" in fields else ""
            due = f", due {fields['due']}" if "due" in fields else ""
            return f"{', '.join(fields['to'])}: {fields['what']} (secret {fields['secret']}{mark}{due})"
        case "order":
            return f"{fields['by']} to {fields['say']['ask']}: {_order(log, fields['say'])} at {fields['at']}"
        case "skip":
            return f"{fields['to']} did not answer {fields['ask']} at {fields['at']}"
        case "rand":
            return f"{fields['chain']} {fields['i']}: {_result(fields)}"
        case "tell":
            return f"{len(fields['pub']['facts'])} facts told to all"
        case "say":
            about = f" {fields['say']['about']}" if "about" in fields["say"] else ""
            hours = f" {fields['say']['hours']} hours" if "hours" in fields["say"] else ""
            return f"{fields['by']}: {fields['say']['act']}{about}{hours}"
        case "rekey":
            return f"{fields['by']} {fingerprint(fields['say']['key'])} at {fields['at']}"
        case "amend":
            return f"{json.dumps(fields['what'], ensure_ascii=False)} agreed at {', '.join(map(str, fields['agreed']))}"
        case "extend":
            return f"question {fields['ask']} until {fields['due']} ({fields['why']})"
        case "end":
            return json.dumps(fields["result"], ensure_ascii=False)
    return ""


def _order(log: Log, say: Json) -> str:
    digest = say["seals"]["order"]
    text = next((str(a.fields[6]) for a in log.attachments if a.k == "seal" and a.digest == digest), "(sealed)")
    return text.replace("\n", "; ")


def _result(fields: Json) -> str:
    if "res" in fields:
        return "; ".join(" ".join(map(str, one)) for one in fields["res"])
    return "sealed"
