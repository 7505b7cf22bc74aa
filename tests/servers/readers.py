"""Mail programs that read mail and answer it, driven without a screen."""

from __future__ import annotations

from pathlib import Path

from .cases import ENCODINGS, SAID, Case, program, wrapped


def _muttlike(case: Case, name: str) -> bool:
    mine = case.file("mine", case.body if case.attached is None else f"{SAID}\n")
    settings = [
        "set autoedit fast_reply include=yes quit=yes copy=no record='' abort_nosubject=no abort_unmodified=no confirmappend=no",
        f"set editor='{case.editor}' sendmail='{case.sendmail} -oi' use_from from={case.sender} realname='' header_cache=''",
        "set mime_forward=yes sleep_time=0 wait_key=no mail_check=0 charset=utf-8 send_charset=utf-8 reply_to=yes postpone=no",
        f"set folder={case.folder} spoolfile={case.maildir} mbox_type=Maildir move=no sig_dashes=no signature=''",
        f"set {'' if case.way == 'flowed' else 'no'}text_flowed {'allow_8bit' if case.way == '8bit' else 'noallow_8bit'}",
        f"my_hdr X-Way: {case.way}",
    ]
    rc = case.file("rc", "\n".join(settings) + "\n")
    if case.way == "as it is":
        if name == "mutt":
            case.run(name, "-n", "-F", rc, "-H", case.folder / "order.eml")
        return name == "mutt"
    keys = "<reply>"
    if case.way == "forwarded":
        keys = f"<forward-message>{case.host}<enter>"
    elif case.attached:
        keys += f"<attach-file>{case.attached}<enter>"
    elif case.way == "HTML":
        mine.write_text(case.page, "utf-8")
        keys += "<edit-type><kill-line>text/html; charset=utf-8<enter>"
    elif case.way in ENCODINGS:
        keys += f"<edit-encoding><kill-line>{ENCODINGS[case.way]}<enter>"
    case.at_a_terminal(
        name,
        "-n",
        "-F",
        rc,
        "-f",
        case.maildir,
        "-e",
        f'push "{keys}<send-message><quit>"',
        WAY=case.way,
        MINE=str(mine),
    )
    return True


@program("mutt", "mutt", package="mutt")
def _mutt(case: Case) -> bool:
    return _muttlike(case, "mutt")


@program("neomutt", "neomutt", package="neomutt")
def _neomutt(case: Case) -> bool:
    return _muttlike(case, "neomutt")


@program("s-nail", "s-nail", package="s-nail")
def _s_nail(case: Case) -> bool:
    if case.way == "as it is":
        case.run("s-nail", "-:/", "-S", f"mta={case.sendmail}", "-t", stdin=case.letter.replace(b"\r\n", b"\n"))
        return True
    encoding = {"8bit": "8bit", "base64": "base64"}.get(case.way, "quoted-printable")
    settings = [f"set mta={case.sendmail} from={case.sender} ttycharset=utf-8 reply-to-honour nosave nobang fullnames"]
    settings += [f"set mime-encoding={encoding} sendcharsets=utf-8 indentprefix='> ' v15-compat"]
    commands = {"above": "~r {mine}\n~m\n", "below": "~m\n~r {mine}\n"}.get(case.way, "~r {mine}\n")
    mine = case.file("mine", f"{SAID}\n" if case.attached else case.body)
    if case.way in ("HTML", "flowed", "forwarded"):
        return False
    if case.attached:
        commands += f"~@ {case.attached}\n"
    typed = "\n".join(settings) + f"\nreply 1\n{commands.format(mine=mine)}~.\nxit\n"
    case.run("s-nail", "-:/", "-#", "-~", "-R", "-f", case.mbox, stdin=typed)
    return True


@program("mailutils", "/usr/bin/mail.mailutils", package="mailutils")
def _mailutils(case: Case) -> bool:
    """GNU mail; its own way to answer asks for a terminal, so it sends what is written."""
    mail, sender = "/usr/bin/mail.mailutils", ("-E", f"set sendmail=sendmail://{case.sendmail}")
    if case.way == "as it is":
        case.run(mail, *sender, "-t", stdin=case.letter.replace(b"\r\n", b"\n"))
        return True
    head = ("-a", f"From: {case.sender}", "-s", case.subject)
    match case.way:
        case "HTML":
            case.run(mail, *sender, *head, "-a", "Content-Type: text/html; charset=utf-8", case.host, stdin=case.page)
        case "flowed":
            case.run(
                mail,
                *sender,
                *head,
                "-a",
                "Content-Type: text/plain; charset=utf-8; format=flowed",
                case.host,
                stdin=wrapped(case.text),
            )
        case "eml attached" | "txt attached" | "forwarded":
            kind = {"eml attached": "application/octet-stream", "txt attached": "text/plain"}.get(
                case.way, "message/rfc822"
            )
            coding = "8bit" if case.way == "forwarded" else "base64"
            case.run(
                mail,
                *sender,
                *head,
                f"--content-type={kind}",
                f"--encoding={coding}",
                "-A",
                case.attached or "",
                case.host,
                stdin=case.text,
            )
        case "qp" | "base64":
            return False
        case _:
            as_it_is = ("-a", "Content-Transfer-Encoding: 8bit") if case.way == "8bit" else ()
            head = (*head, "-a", "Content-Type: text/plain; charset=utf-8", *as_it_is)
            case.run(mail, *sender, *head, case.host, stdin=case.text)
    return True


@program("bsd-mailx", "/usr/bin/bsd-mailx", package="bsd-mailx")
def _bsd_mailx(case: Case) -> bool:
    if case.way not in ("plain", "above", "below", "8bit"):
        return False
    rc = case.file(".mailrc", f"set sendmail={case.sendmail}\nset indentprefix='> '\n")
    mine = case.file("mine", case.body)
    commands = {"above": f"~r {mine}\n~m 1\n", "below": f"~m 1\n~r {mine}\n"}.get(case.way, f"~r {mine}\n")
    more = (
        ("-a", "Content-Type: text/plain; charset=utf-8", "-a", "Content-Transfer-Encoding: 8bit")
        if case.way == "8bit"
        else ()
    )
    if more:
        case.run("/usr/bin/bsd-mailx", *more, "-s", case.subject, case.host, stdin=case.body, MAILRC=str(rc))
    else:
        case.run("/usr/bin/bsd-mailx", "-I", "-f", case.mbox, stdin=f"reply 1\n{commands}.\n\nxit\n", MAILRC=str(rc))
    return True


@program("nmh", "/usr/bin/mh/repl", package="nmh")
def _nmh(case: Case) -> bool:
    case.file(".mh_profile", f"Path: Mail\nLocal-Mailbox: {case.sender}\n")
    conf = case.file("mts.conf", f"mts: sendmail/pipe\nsendmail: {case.sendmail}\n")
    name = "order.eml" if case.way == "forwarded" else "report.eml"
    case.file("Mail/inbox/1", (case.folder / name).read_bytes())
    env = {
        "MHMTSCONF": str(conf),
        "WAY": case.way,
        "MINE": str(case.file("mine", case.text if case.attached else case.body)),
        "HEAD": "--------\n",
    }
    draft = case.folder / "Mail" / "draft"
    mh = Path("/usr/bin/mh")
    if case.way in ("HTML", "flowed", "qp", "base64", "as it is"):
        return False
    if case.way == "forwarded":
        case.run(
            mh / "forw", "-build", "-noedit", "-mime", "-to", case.host, "-from", case.sender, "+inbox", "1", **env
        )
        case.run(mh / "mhbuild", draft, **env)
    else:
        quote = ("-filter", "mhl.reply") if case.way in ("above", "below") else ()
        case.run(mh / "repl", "-build", "-noedit", *quote, "+inbox", "1", **env)
        (case.folder / "Mail" / "reply").replace(draft)
        case.run(case.editor, draft, **env)
        if case.attached:
            head, _, text = draft.read_text("utf-8").partition("--------\n")
            draft.write_text(f"{head}Attach: {case.attached}\n--------\n{text}", "utf-8")
    if case.way == "8bit":
        case.run(mh / "mhbuild", "-auto", "-maxunencoded", "998", "-headerencoding", "utf-8", draft, **env)
    case.run(mh / "send", "-msgid", draft, **env)
    return True


@program("mblaze", "mcom", package="mblaze")
def _mblaze(case: Case) -> bool:
    case.file(".mblaze/profile", f"Local-Mailbox: {case.sender}\nSendmail: {case.sendmail}\nSendmail-Args: -t -i\n")
    case.file(".mblaze/seq", f"{case.folder}/report.eml\n")
    if case.way in ("HTML", "8bit", "base64"):
        return False
    if case.way in ("flowed", "qp", "as it is"):
        return _by_mmime(case)
    env = {"WAY": case.way, "MINE": str(case.file("mine", case.text if case.attached else case.body)), "HEAD": "\n\n"}
    if case.way == "forwarded":
        case.run("mfwd", "-to", case.host, "--", "./order.eml", stdin="s\n", EDITOR="true", VISUAL="true", **env)
        return True
    head = ("-attach", str(case.attached), "--") if case.attached else ()
    case.run("mrep", *head, "1", stdin="s\n", EDITOR=str(case.editor), VISUAL=str(case.editor), **env)
    return True


def _by_mmime(case: Case) -> bool:
    """Its program that makes MIME of what is written, and chooses the encoding."""
    match case.way:
        case "as it is":
            made = (case.folder / "order.eml").read_bytes()
        case "flowed":
            made = case.run("mmime", "-r", stdin=case.draft("Content-Type: text/plain; format=flowed").read_bytes())
        case _:
            made = case.run("mmime", "-r", stdin=case.draft().read_bytes())
    case.run(case.sendmail, "-t", "-i", stdin=made)
    return True


@program("Emacs", "emacs", package="emacs-nox")
def _emacs(case: Case) -> bool:
    """Message mode, as Gnus and others use it; what it cites is written for it."""
    if case.way in ("qp", "8bit", "flowed"):
        return False
    mine = case.file("mine", case.text if case.attached else case.body)
    tags = {
        "HTML": f'(insert "<#multipart type=alternative>\\n") (insert-file-contents "{mine}") (goto-char (point-max)) '
        f'(insert "<#part type=text/html>\\n") (insert-file-contents "{case.file("page.html", case.page)}") '
        '(goto-char (point-max)) (insert "<#/multipart>\\n")',
        "base64": f'(insert "<#part type=text/plain encoding=base64>\\n") (insert-file-contents "{mine}") (goto-char (point-max))',
        "above": f'(insert-file-contents "{mine}")',
        "below": f'(goto-char (point-max)) (insert-file-contents "{mine}")',
    }
    write = tags.get(
        case.way, f'(delete-region (point) (point-max)) (insert-file-contents "{mine}") (goto-char (point-max))'
    )
    if case.way in ("HTML", "base64"):
        write = f"(delete-region (point) (point-max)) {write}"
    if case.attached:
        kind = {"eml attached": "application/octet-stream", "txt attached": "text/plain"}.get(
            case.way, "message/rfc822"
        )
        write += f' (mml-attach-file "{case.attached}" "{kind}" nil "attachment")'
    if case.way == "as it is":
        visit = (
            f'(find-file "{case.folder}/order.eml") (goto-char (point-min)) (re-search-forward "^$") '
            '(replace-match "--text follows this line--") (message-mode)'
        )
    else:
        visit = (
            f'(find-file "{case.folder}/report.eml") (message-reply) (message-goto-body) '
            f'(save-excursion (insert-file-contents "{case.folder}/quoted.txt")) {write}'
        )
    script = f"""
(prefer-coding-system 'utf-8)
(require 'message) (require 'mml) (require 'gnus-art)
(setq user-mail-address "{case.sender}" user-full-name "" mail-host-address "players.test" message-from-style nil
      send-mail-function 'sendmail-send-it message-send-mail-function 'message-send-mail-with-sendmail
      sendmail-program "{case.sendmail}" message-sendmail-f-is-evil t message-interactive t message-confirm-send nil
      message-auto-save-directory nil message-kill-buffer-on-exit t message-setup-hook nil
      mml-content-disposition-alist nil message-forward-as-mime t)
{visit}
(message-send)
"""
    part = case.asked.get_body(("plain",))
    assert part is not None
    quoted = "\n".join(f"> {line}" for line in part.get_content().rstrip().splitlines())
    case.file("quoted.txt", f"pbem <host@club.test> writes:\n\n{quoted}\n")
    case.run("emacs", "-Q", "--batch", "-l", case.file("script.el", script))
    return True


@program("notmuch", "notmuch", package="notmuch")
def _notmuch(case: Case) -> bool:
    """It makes the answer, and another program sends it."""
    if case.way not in ("plain", "above", "below"):
        return False
    case.file(".notmuch-config", f"[database]\npath={case.maildir}\n[user]\nprimary_email={case.sender}\nname=Ann\n")
    case.run("notmuch", "new", "--quiet")
    draft = case.file("draft", case.run("notmuch", "reply", "*"))
    case.run(case.editor, draft, WAY=case.way, MINE=str(case.file("mine", case.body)), HEAD="\n\n")
    case.run(case.sendmail, "-t", "-i", stdin=draft.read_bytes())
    return True
