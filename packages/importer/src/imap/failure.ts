import { CommandFailed, UNTRUSTED_CERTIFICATE } from '@sightline/tools';
import type { MailboxAddress } from './address.ts';

/** The mailbox cannot be read. The message names the cause and what to do. */
export class MailboxFailed extends CommandFailed {
  override name = 'MailboxFailed';
  /** True if a retry may succeed; false if the operator has to fix the cause. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** An error of the mail client. */
interface ClientError extends Error {
  code?: string;
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  responseText?: string;
  response?: unknown;
  reason?: string;
  tlsFailed?: boolean;
  mailboxMissing?: boolean;
}

/** The client's message if the server does not offer it. */
const NO_STARTTLS = 'Server does not support STARTTLS';
const TIMED_OUT = /TIMEOUT|ETIMEDOUT/;
const BUSY = /^(?:OVERQUOTA|LIMIT|UNAVAILABLE|INUSE|SERVERBUG|CONTACTADMIN|ALERT)$/;

/**
 * Converts an error of the mail client.
 * @param doing the attempted step, such as `the folder "INBOX"`
 */
export function toMailboxFailed(error: unknown, address: MailboxAddress, doing = ''): CommandFailed {
  if (error instanceof CommandFailed) return error;
  const { host, port, user } = address;
  const given = error as ClientError;
  const [code, text] = [given.code ?? '', clip(getText(given))];
  const passingFailure = (message: string) => new MailboxFailed(message, true);
  const lastingFailure = (message: string) => new MailboxFailed(message, false);
  const limit = given.serverResponseCode ?? '';
  if (BUSY.test(limit) || code === 'ETHROTTLE')
    return passingFailure(
      `${host} refuses temporarily (${limit || 'too many requests'}): ${text}. Try later or less often.`,
    );
  if (given.authenticationFailed)
    return lastingFailure(
      `${host} refuses the login of ${user}: ${text}. Check the user, and the password or token; Gmail requires an app password, and Microsoft 365 requires --token-command.`,
    );
  if (text.startsWith('Unsupported authentication'))
    return lastingFailure(
      `${host} does not support this kind of login: use --password-file instead of --token-command, or the reverse.`,
    );
  if (UNTRUSTED_CERTIFICATE.test(code))
    return lastingFailure(
      `${host} presents an untrusted certificate: ${text}. Use the server name in its certificate, or name its authority with --ca.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new MailboxFailed(
      `${host} has no address (${code}): check the name and this machine's DNS.`,
      true,
    );
  if (code === 'ECONNREFUSED')
    return passingFailure(
      `${host} does not listen on port ${port}: check the port and whether the server runs.`,
    );
  if (TIMED_OUT.test(code))
    return passingFailure(`${host} did not answer in time on port ${port}: check the network and firewalls.`);
  if (given.tlsFailed && text === NO_STARTTLS)
    return lastingFailure(
      `${host} offers no STARTTLS on port ${port}: use imaps:, since imap: would send the login unencrypted.`,
    );
  if (given.tlsFailed || /WRONG_VERSION|EPROTO/.test(code))
    return lastingFailure(
      `${host} does not use TLS on port ${port}: imaps: is for port 993, imap: for a server with STARTTLS on 143 (${text}).`,
    );
  if (doing !== '' && 'responseStatus' in given) return lastingFailure(`${host} refuses ${doing}: ${text}.`);
  return passingFailure(
    `The connection to ${host} was lost${doing && ` at ${doing}`}: ${text}. Check the network.`,
  );
}

function getText({ responseText, reason, response, message }: ClientError): string {
  return responseText || (typeof response === 'string' ? response : '') || reason || message;
}

/** Truncates a server message to one line, because it can contain anything. */
function clip(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, 200);
}
