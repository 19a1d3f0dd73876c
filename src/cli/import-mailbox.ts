import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  describeReading,
  type ImportCounts,
  type ImportOptions,
  ImportTally,
  type Item,
  OUTERMOST,
  Unreadable,
} from '@sightline/importer';
import type { CredentialSource, MailboxAddress } from '@sightline/importer/imap';
import { type ConnectionSettings, Mailbox, MailboxFailed, type WaitingMail } from '@sightline/importer/imap';
import { CommandFailed, onOneLine, say } from '@sightline/tools';
import {
  type MailboxFolder,
  mailboxPosition,
  moveMailboxPosition,
  restartMailbox,
} from '../../sql/feed/mailbox-positions.ts';
import { type CommandContext, withOperator } from './context.ts';
import { ImportSession } from './import-lines.ts';
import { type ImportRun, loadLines } from './import-run.ts';

export interface MailboxRun extends Pick<ImportRun, 'verbose'> {
  address: MailboxAddress;
  /** The names of folders, which can contain `*`. */
  folders: readonly string[];
  credentials: CredentialSource;
  connection: ConnectionSettings;
  /** True to read each folder from its start, even if it was read before. */
  again: boolean;
  skippedFile: FileHandle | undefined;
  /** Returns the current options, since routes can change during the import. */
  optionsOf: () => Promise<ImportOptions>;
  /** Called with the results of each batch. */
  onBatch: (tally: ImportTally, counts: ImportCounts) => void;
}

/** Maximum number of mails, and of their bytes, per transaction. */
const MOST_MAILS = 500;
const MOST_BYTES = 64 * 1024 * 1024;

/** Number of consecutive attempts without a new mail after which an import fails. */
const MOST_ATTEMPTS = 4;

/** Milliseconds before a retry: the first, the longest, and after an error that requires an operator. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 5 * 60_000;
const LONG_PAUSE = 10 * 60_000;

/** Polling intervals in milliseconds for servers without notifications, with one folder and with several. */
const LOOK = 9 * 60_000;
const LOOK_AT_OTHERS = 60_000;

/**
 * Imports the new mails of a mailbox. Each batch is a transaction that also moves the folder's position, so an
 * interrupted import loses nothing and counts nothing twice.
 */
export class MailboxImport {
  #database: CommandContext;
  #run: MailboxRun;
  #signal: AbortSignal;
  /** Folders that were read from the start again. */
  #restarted = new Set<string>();
  #batches = 0;

  constructor(database: CommandContext, run: MailboxRun, signal: AbortSignal) {
    this.#database = database;
    this.#run = run;
    this.#signal = signal;
  }

  /**
   * Reads the existing mails, and reconnects after a lost connection.
   * @throws {CommandFailed}
   */
  async once(): Promise<void> {
    for (let attempt = 1, before = this.#batches; ; attempt++) {
      try {
        return await this.#connected(async mailbox => void (await this.#read(mailbox)));
      } catch (error) {
        if (this.#batches > before) [attempt, before] = [1, this.#batches];
        if (!(error instanceof MailboxFailed) || !error.isPassing || attempt === MOST_ATTEMPTS) throw error;
        await this.#wait(error, FIRST_PAUSE * 2 ** (attempt - 1));
      }
    }
  }

  /** Imports existing mails, and then new ones, until the signal. */
  async follow(): Promise<void> {
    for (let failures = 0; !this.#signal.aborted; ) {
      const before = this.#batches;
      try {
        await this.#connected(async mailbox => {
          for (;;) {
            const folders = await this.#read(mailbox);
            failures = 0;
            // Reopens the first folder, so that the server announces its new mails.
            if (folders.length > 1) await this.#readFolder(mailbox, folders[0]!);
            await mailbox.waitForChange(folders.length > 1 ? LOOK_AT_OTHERS : LOOK, this.#signal);
          }
        });
      } catch (error) {
        if (this.#signal.aborted) return;
        if (this.#batches > before) failures = 0;
        const isLasting =
          error instanceof CommandFailed && !(error instanceof MailboxFailed && error.isPassing);
        // The loop ends with the signal, also during a pause.
        await this.#wait(error, isLasting ? LONG_PAUSE : computePause(failures++)).catch(() => {});
      }
    }
  }

  async #wait(error: unknown, milliseconds: number): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    say(onOneLine(`${message} Trying again in ${Math.ceil(milliseconds / 1000)} s.`));
    await pause(milliseconds, undefined, { signal: this.#signal });
  }

  async #connected(work: (mailbox: Mailbox) => Promise<void>): Promise<void> {
    const { address, credentials, connection } = this.#run;
    const mailbox = await Mailbox.open(address, credentials, connection, this.#signal);
    try {
      await work(mailbox);
      await mailbox.end();
    } finally {
      mailbox.close();
    }
  }

  /** Reads the new mails, and returns the folders that were read. */
  async #read(mailbox: Mailbox): Promise<string[]> {
    const folders = await mailbox.selectFolders(this.#run.folders);
    for (const folder of folders) await this.#readFolder(mailbox, folder);
    return folders;
  }

  async #readFolder(mailbox: Mailbox, folder: string): Promise<void> {
    const options = await this.#run.optionsOf();
    const key = this.#toKey(options, folder);
    const uidValidity = await mailbox.examine(folder);
    const existing = await withOperator(this.#database, async sql => {
      if (this.#run.again && !this.#restarted.has(folder)) await restartMailbox(sql, key);
      return mailboxPosition(sql, key);
    });
    this.#restarted.add(folder);
    if (existing && existing.uidValidity !== uidValidity)
      say(
        onOneLine(
          `${folder} was recreated on the mail server, so it is read from its start. No report counts twice.`,
        ),
      );
    const lastUid = existing?.uidValidity === uidValidity ? existing.lastUid : 0;
    const mails = await mailbox.findNew(lastUid);
    let done = 0;
    for (const batch of toBatches(mails)) {
      const progress = () => `${folder}: ${done} of ${mails.length} mails imported`;
      await this.#load(mailbox, { options, key, uidValidity, batch, progress });
      done += batch.length;
    }
  }

  #toKey(options: ImportOptions, folder: string): MailboxFolder {
    const reading = hash('sha256', `${describeReading(options)} ${options.routes?.text ?? ''}`, 'hex');
    return {
      accountId: options.accountId ?? '',
      mailbox: this.#run.address.name,
      folder,
      format: options.format,
      reading,
    };
  }

  async #load(mailbox: Mailbox, { options, key, uidValidity, batch, progress }: Batch): Promise<void> {
    const { skippedFile, verbose, onBatch } = this.#run;
    const importing = new ImportSession(options, this.#signal, { skippedFile, isVerbose: verbose, progress });
    const reader = new BatchReader(mailbox, key.folder, options.bounds.mail, this.#signal, importing.onBytes);
    try {
      await loadLines(this.#database, importing, reader.items(batch), this.#signal, {
        onEnd: async session => {
          reader.throwIfFailed();
          await moveMailboxPosition(session, key, { uidValidity, lastUid: batch.at(-1)!.uid });
        },
      });
    } catch (error) {
      reader.throwIfFailed();
      throw error;
    } finally {
      importing.close();
    }
    this.#batches++;
    onBatch(importing.tally, importing.context.counts);
  }
}

interface Batch {
  options: ImportOptions;
  key: MailboxFolder;
  uidValidity: string;
  batch: readonly WaitingMail[];
  progress: () => string;
}

/**
 * Converts mails to items. If the connection is lost within a mail, the batch must end, or the mail would be skipped as
 * unreadable.
 */
class BatchReader {
  #failure: { cause: unknown } | undefined;
  readonly #mailbox: Mailbox;
  readonly #folder: string;
  readonly #longest: number;
  readonly #signal: AbortSignal;
  readonly #onBytes: (bytes: number) => void;

  constructor(
    mailbox: Mailbox,
    folder: string,
    longest: number,
    signal: AbortSignal,
    onBytes: (bytes: number) => void,
  ) {
    this.#mailbox = mailbox;
    this.#folder = folder;
    this.#longest = longest;
    this.#signal = signal;
    this.#onBytes = onBytes;
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.cause;
  }

  async *items(batch: readonly WaitingMail[]): AsyncGenerator<Item> {
    const tooLong = batch.filter(({ size }) => size > this.#longest);
    for (const mail of tooLong) {
      const detail = `${mail.size} bytes, but --max-mail allows ${this.#longest}`;
      yield this.#toItem(mail, failing(new Unreadable('is a mail that is too large', detail)));
    }
    try {
      for await (const { mail, content } of this.#mailbox.fetch(
        batch.filter(mail => !tooLong.includes(mail)),
      )) {
        // The mail has been deleted in the meantime.
        if (content === undefined) continue;
        const bytes = content ?? failing(new Unreadable('could not be fetched from the mail server'));
        yield this.#toItem(mail, this.#guard(bytes));
        this.throwIfFailed();
      }
    } catch (error) {
      throw this.#toEnd(error);
    }
  }

  #toItem({ uid, received }: WaitingMail, content: AsyncIterable<Uint8Array>): Item {
    return {
      place: `${this.#folder}: mail ${uid}`,
      name: '',
      content,
      modified: received,
      nesting: OUTERMOST,
    };
  }

  async *#guard(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of content) {
        this.#onBytes(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof CommandFailed ? this.#toEnd(error) : error;
    }
  }

  /** Records a failure that must end the import. */
  #toEnd(error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    this.#failure ??= { cause: error };
    return new DOMException('The mailbox cannot be read', 'AbortError');
  }
}

// biome-ignore lint/correctness/useYield: it fails before it has anything
async function* failing(error: Error): AsyncGenerator<Uint8Array> {
  throw error;
}

function* toBatches(mails: readonly WaitingMail[]): Generator<WaitingMail[]> {
  let [batch, bytes]: [WaitingMail[], number] = [[], 0];
  for (const mail of mails) {
    if (batch.length === MOST_MAILS || (batch.length > 0 && bytes + mail.size > MOST_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(mail);
    bytes += mail.size;
  }
  if (batch.length > 0) yield batch;
}

/** Doubles the pause with each failure, with jitter so that clients do not synchronize. */
function computePause(failures: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 20)) * (0.75 + Math.random() / 4);
}

/** The totals of all batches of an import. */
export class MailboxTally {
  readonly tally = new ImportTally(false);
  readonly counts: ImportCounts = { items: 0, received: { line: 0, option: 0, file: 0 } };

  readonly add = (tally: ImportTally, { items, received }: ImportCounts): void => {
    this.tally.merge(tally);
    this.counts.items += items;
    for (const name of ['line', 'option', 'file'] as const) this.counts.received[name] += received[name];
  };
}
