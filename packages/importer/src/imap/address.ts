import { CommandFailed } from '@sightline/tools';

/** A mailbox on a mail server. */
export interface MailboxAddress {
  /** True for TLS from the start (`imaps:`), false for STARTTLS. */
  isSecure: boolean;
  host: string;
  port: number;
  user: string;
  /** The folder, or '' if the address contains none. */
  folder: string;
  /** User, server and port: the name in messages and the key of stored positions. */
  name: string;
}

const EXAMPLE = 'imaps://reports@acme.example@imap.acme.example/INBOX';

/**
 * Reads `imaps://user@host:port/FOLDER`. The user can be an e-mail address.
 * @throws {CommandFailed} which never repeats the address, because it can contain a password
 */
export function parseMailboxAddress(text: string): MailboxAddress {
  const refuse = (problem: string) =>
    new CommandFailed(`--imap ${problem}: give an address such as ${EXAMPLE}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^imaps?:$/.test(url.protocol))
    throw refuse('is not an address that begins with imaps:// or imap://');
  if (url.password !== '')
    throw new CommandFailed(
      '--imap has a password, which other users of this machine can read: name a file that contains it with --password-file',
    );
  if (url.username === '') throw refuse('names no user');
  if (url.hostname === '') throw refuse('names no server');
  if (url.search !== '' || url.hash !== '') throw refuse('has more than a folder after the server');
  const isSecure = url.protocol === 'imaps:';
  const port = url.port === '' ? (isSecure ? 993 : 143) : Number(url.port);
  const [user, folder] = [decode(url.username), decode(url.pathname.slice(1))];
  if (user === undefined || folder === undefined || /\p{Cc}/u.test(user + folder))
    throw refuse('contains an invalid character');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { isSecure, host, port, user, folder, name: `${user}@${url.hostname}:${port}` };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Checks whether the server is this machine, so that no data crosses a network. */
export function isLocal({ host }: MailboxAddress): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);
}
