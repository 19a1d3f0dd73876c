#!/bin/sh
# Fetches a mailbox by IMAP into the maildir inbox/ of the folder MAIL, every hour, by mbsync. A fetch that worked
# touches MAIL/.fetched; one that failed is tried again after ten minutes, so that no server locks the mailbox.
# Another mailbox, or one that its server made anew, is fetched whole: importing a mail twice changes nothing.
set -eu
: "${MAIL_HOST:?names the server of the mailbox}" "${MAIL_USER:?names its user}"
: "${MAIL_PASSWORD_FILE:?names a file with the password}"
umask 077
export HOME="${TMPDIR:-/tmp}"
settings="$HOME/mbsyncrc"
cat > "$settings" <<END
IMAPStore far
Host "$MAIL_HOST"
Port ${MAIL_PORT:-993}
User "$MAIL_USER"
PassCmd "cat '$MAIL_PASSWORD_FILE'"
SSLType IMAPS
${MAIL_CA:+CertificateFile "$MAIL_CA"}

MaildirStore near
Path "$MAIL/"
Inbox "$MAIL/inbox"

Channel reports
Far ":far:${MAIL_FOLDER:-INBOX}"
Near ":near:INBOX"
Create Near
Sync Pull
SyncState *
END
while :; do
  if mbsync --config "$settings" reports 2> "$HOME/said"; then
    touch "$MAIL/.fetched"
    pause=3600
  elif grep -q UIDVALIDITY "$HOME/said" && rm "$MAIL/inbox/.mbsyncstate"*; then
    echo 'This is another mailbox than before, or one made anew: all of it is fetched again.' >> "$HOME/said"
    pause=1
  else
    echo 'The mailbox was not fetched: it is tried again in ten minutes.' >> "$HOME/said"
    pause=600
  fi
  cat "$HOME/said" >&2
  sleep "$pause"
done
