import { readFile } from 'node:fs/promises';
import { CommandFailed } from '@sightline/tools';
import { type FetchMessageObject, ImapFlow } from 'imapflow';
import { isLocal, type MailboxAddress } from './address.ts';
import { type CredentialSource, readCredentials } from './credentials.ts';
import { MailboxFailed, toMailboxFailed } from './failure.ts';

/** The position up to which a folder was read. */
export interface FolderPosition {
  /**
   * The UIDVALIDITY in decimal digits. A new value means that the server has renumbered the mails (RFC 9051, section
   * 2.3.1.1).
   */
  uidValidity: string;
  /** The UID of the last stored mail; 0 if there is none. */
  lastUid: number;
}

export interface ConnectionSettings {
  /** A file with the certificate of the authority that issued the server's certificate, if Node does not trust it. */
  authority: string | undefined;
  /** Time limit for the server's response, in milliseconds. */
  timeout: number;
}

/** A mail in the mailbox that has not been imported. */
export interface WaitingMail {
  uid: number;
  /** The size that the server reports; the bytes that arrive are limited separately. */
  size: number;
  /** When the server received the mail, in milliseconds. */
  received: number;
}

/**
 * Maximum size of mails that are fetched together, chunk size for a larger mail, and maximum size of a batch, in bytes.
 */
const SMALL = 1024 * 1024;
const PART = 1024 * 1024;
const TOGETHER = 8 * 1024 * 1024;
/** Number of mails whose sizes are fetched with one command. */
const SIZES = 2000;

/** One connection to a mailbox. It uses EXAMINE and BODY.PEEK, so it never changes the mailbox. */
export class Mailbox {
  readonly #client: ImapFlow;
  readonly #address: MailboxAddress;
  #lost: Error | undefined;
  #hasChanged = false;
  #onChange = () => {};

  private constructor(client: ImapFlow, address: MailboxAddress) {
    this.#client = client;
    this.#address = address;
    client.on('error', error => {
      this.#lost ??= error;
    });
    for (const event of ['exists', 'close'] as const)
      client.on(event, () => {
        this.#hasChanged = true;
        this.#onChange();
      });
  }

  /**
   * Connects and signs in.
   * @throws {CommandFailed}
   */
  static async open(
    address: MailboxAddress,
    source: CredentialSource,
    { authority, timeout }: ConnectionSettings,
    signal: AbortSignal,
  ): Promise<Mailbox> {
    const [credentials, ca] = await Promise.all([
      readCredentials(source),
      authority === undefined ? undefined : readAuthority(authority),
    ]);
    signal.throwIfAborted();
    const client = new ImapFlow({
      host: address.host,
      port: address.port,
      secure: address.isSecure,
      ...(!address.isSecure && !isLocal(address) && { doSTARTTLS: true }),
      auth: { user: address.user, ...credentials },
      tls: { ...(ca !== undefined && { ca }) },
      logger: false,
      disableAutoIdle: true,
      clientInfo: { name: 'sightline' },
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      // Limits each response, even from a hostile server.
      maxLiteralSize: 4 * SMALL,
      maxLineLength: 16 * SMALL,
      maxResponseSize: 32 * SMALL,
    });
    const mailbox = new Mailbox(client, address);
    const end = () => client.close();
    signal.addEventListener('abort', end, { once: true });
    client.on('close', () => signal.removeEventListener('abort', end));
    await mailbox.#try('', () => client.connect());
    return mailbox;
  }

  /**
   * Returns the names of the folders; a name with `*` selects all that match.
   * @throws {CommandFailed}
   */
  async selectFolders(names: readonly string[]): Promise<string[]> {
    const listed = await this.#try('the list of folders', () => this.#client.list());
    const there = listed.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => path);
    const found = new Set<string>();
    for (const name of names) {
      const paths = name.includes('*') ? there.filter(path => matches(path, name)) : [toListed(name, there)];
      if (paths.length === 0 || paths[0] === undefined)
        throw new MailboxFailed(
          `${this.#address.name} has no folder "${name}". It has: ${there.slice(0, 20).join(', ')}${there.length > 20 ? ', …' : ''}.`,
          false,
        );
      for (const path of paths) found.add(path!);
    }
    return [...found];
  }

  /**
   * Opens a folder for reading and returns its UIDVALIDITY.
   * @throws {CommandFailed}
   */
  async examine(folder: string): Promise<string> {
    const doing = `the folder "${folder}"`;
    const opened = await this.#try(doing, () => this.#client.mailboxOpen(folder, { readOnly: true }));
    if (!opened.readOnly)
      throw new MailboxFailed(
        `${this.#address.host} opens ${doing} only for writing: nothing was read.`,
        false,
      );
    return String(opened.uidValidity);
  }

  /** Lists the mails after the given UID. */
  async findNew(lastUid: number): Promise<WaitingMail[]> {
    this.#hasChanged = false;
    await this.#try('a look for new mails', () => this.#client.noop());
    const uids = await this.#search(`${lastUid + 1}:*`);
    // "7:*" includes the last mail even if its UID is lower than seven (RFC 9051, section 9).
    const wanted = uids.filter(uid => uid > lastUid).sort((a, b) => a - b);
    const mails: WaitingMail[] = [];
    for (let start = 0; start < wanted.length; start += SIZES) {
      const range = `${wanted[start]}:${wanted[Math.min(start + SIZES, wanted.length) - 1]}`;
      const query = { uid: true, size: true, internalDate: true } as const;
      const found = await this.#try('sizes of mails', () =>
        this.#client.fetchAll(range, query, { uid: true }),
      );
      for (const { uid, size = 0, internalDate } of found)
        mails.push({ uid, size, received: internalDate ? new Date(internalDate).getTime() || 0 : 0 });
    }
    return mails.filter(({ uid }) => uid > lastUid).sort((a, b) => a.uid - b.uid);
  }

  async #search(uid: string): Promise<number[]> {
    const found = await this.#try('a search', () => this.#client.search({ uid }, { uid: true }));
    if (!found) throw new MailboxFailed(`${this.#address.host} refuses to search for mails.`, true);
    return found;
  }

  /**
   * Fetches mails in order. The content is undefined if the mail has been deleted, and null if the server does not
   * return it. Each must be read before the next one is requested.
   */
  async *fetch(
    mails: readonly WaitingMail[],
  ): AsyncGenerator<{ mail: WaitingMail; content: AsyncIterable<Uint8Array> | undefined | null }> {
    for (const group of groupBySize(mails)) {
      if (group[0]!.size > SMALL) {
        const [mail] = group as [WaitingMail];
        const first = await this.#part(mail.uid, 0);
        yield { mail, content: first ? this.#parts(mail.uid, first) : await this.#findMissing(mail.uid) };
        continue;
      }
      const sources = await this.#sources(group);
      for (const mail of group) {
        // A server can report a smaller size than the mail has; the rest is fetched in parts.
        const source = sources.get(mail.uid) ?? (await this.#part(mail.uid, 0));
        const content = source && (source.length < PART ? only(source) : this.#parts(mail.uid, source));
        yield { mail, content: content ?? (await this.#findMissing(mail.uid)) };
      }
    }
  }

  async #sources(group: readonly WaitingMail[]): Promise<Map<number, Buffer>> {
    const range = group.map(({ uid }) => uid).join(',');
    const query = { uid: true, source: { start: 0, maxLength: PART } } as const;
    const found = await this.#try('mails', () => this.#client.fetchAll(range, query, { uid: true }));
    return new Map(found.flatMap(({ uid, source }: FetchMessageObject) => (source ? [[uid, source]] : [])));
  }

  async #part(uid: number, start: number): Promise<Buffer | undefined> {
    const query = { uid: true, source: { start, maxLength: PART } } as const;
    const found = await this.#try(`mail ${uid}`, () =>
      this.#client.fetchAll(String(uid), query, { uid: true }),
    );
    return found.find(mail => mail.uid === uid)?.source;
  }

  async *#parts(uid: number, first: Buffer): AsyncGenerator<Uint8Array> {
    let [part, start] = [first as Buffer | undefined, 0];
    while (part && part.length > 0) {
      yield part;
      start += part.length;
      if (part.length < PART) return;
      part = await this.#part(uid, start);
      if (!part) throw new Error('was deleted on the mail server while it was read');
    }
  }

  async #findMissing(uid: number): Promise<undefined | null> {
    await this.#try('a look for new mails', () => this.#client.noop());
    return (await this.#search(String(uid))).includes(uid) ? null : undefined;
  }

  /**
   * Waits until the server announces a change in the folder, at most for the given time.
   * @throws {CommandFailed}
   */
  async waitForChange(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#hasChanged) return;
    const idle = this.#client.idle();
    idle.catch(() => {});
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => this.#onChange(), milliseconds);
      this.#onChange = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', this.#onChange);
        resolve();
      };
      signal.addEventListener('abort', this.#onChange, { once: true });
      if (this.#hasChanged || signal.aborted) this.#onChange();
    });
    signal.throwIfAborted();
    // Any command ends the wait.
    await this.#try('a wait for mails', async () => {
      await this.#client.noop();
      await idle;
    });
  }

  close(): void {
    this.#client.close();
  }

  /** Logs out; the connection can already be closed. */
  async end(): Promise<void> {
    await this.#client.logout().catch(() => {});
    this.#client.close();
  }

  async #try<Answer>(doing: string, work: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await work();
      if (this.#lost) throw this.#lost;
      // The client returns nothing if the connection was closed before the command was sent.
      if (!this.#client.usable) throw new Error('it was closed');
      return answer;
    } catch (error) {
      throw toMailboxFailed(this.#lost ?? error, this.#address, doing);
    }
  }
}

async function readAuthority(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new CommandFailed(`--ca ${path} cannot be read: ${error.message}`);
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new CommandFailed(`--ca ${path} contains no certificate: it must be PEM`);
  return text;
}

/** Returns the name of a folder as the server lists it. INBOX is case-insensitive (RFC 9051, section 5.1). */
function toListed(name: string, there: readonly string[]): string | undefined {
  return (
    there.find(path => path === name) ?? there.find(path => /^inbox$/i.test(name) && /^inbox$/i.test(path))
  );
}

function matches(path: string, pattern: string): boolean {
  const parts = pattern.split('*');
  if (!path.startsWith(parts[0]!) || !path.endsWith(parts.at(-1)!)) return false;
  let from = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= path.length - parts.at(-1)!.length;
}

/** Groups consecutive small mails; each large mail is a group of its own. */
function* groupBySize(mails: readonly WaitingMail[]): Generator<WaitingMail[]> {
  let [group, bytes]: [WaitingMail[], number] = [[], 0];
  for (const mail of mails) {
    const isLong = mail.size > SMALL;
    if (group.length > 0 && (isLong || bytes + mail.size > TOGETHER || group.length === 200)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    if (isLong) yield [mail];
    else {
      group.push(mail);
      bytes += mail.size;
    }
  }
  if (group.length > 0) yield group;
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
