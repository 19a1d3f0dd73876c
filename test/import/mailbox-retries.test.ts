import { DEFAULT_BOUNDS, type ImportOptions } from '@sightline/importer';
import { Mailbox, MailboxFailed, type WaitingMail } from '@sightline/importer/imap';
import { CommandFailed } from '@sightline/tools';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MailboxImport } from '../../src/cli/import-mailbox.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { simulatePauses } from '../support/simulated-pauses.ts';

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'));
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

/** The pauses between attempts, in milliseconds, and the lines on standard error. */
let pauses: number[];
let printed: string[];
/** Called at the start of each pause. */
let onPause: () => void;
let restorePauses: () => void;
beforeEach(() => {
  [pauses, printed, onPause] = [[], [], () => {}];
  restorePauses = simulatePauses(async (milliseconds, value, options) => {
    pauses.push(milliseconds);
    onPause();
    options?.signal?.throwIfAborted();
    return value;
  });
  // Vite sets this to a path.
  vi.stubEnv('BASE_URL', undefined);
  vi.spyOn(Math, 'random').mockReturnValue(1);
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    printed.push(String(text).trim());
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  restorePauses();
});

const lost = () => new MailboxFailed('The connection was lost.', true);
const refused = () => new MailboxFailed('The password is wrong.', false);

/** A mail with its content: undefined if it was deleted, and null if the server does not send it. */
type StoredMail = WaitingMail & { content?: AsyncIterable<Uint8Array> | null };

const mail = (uid: number, size = 1): StoredMail => ({ uid, size, received: 0 });

/** A mailbox with a folder of mails, which records what it is asked for. */
class FakeMailbox {
  mails: readonly StoredMail[];
  folders: readonly string[];
  uidValidity = '1';
  /** The UIDs of each request for mails, or their number. */
  fetched: number[][] = [];
  read: string[] = [];
  looks: number[] = [];
  end = vi.fn(async () => {});
  close = vi.fn();

  constructor(mails: readonly StoredMail[] = [], folders: readonly string[] = ['INBOX']) {
    this.mails = mails;
    this.folders = folders;
  }

  async selectFolders(): Promise<readonly string[]> {
    return this.folders;
  }

  async examine(folder: string): Promise<string> {
    this.read.push(folder);
    return this.uidValidity;
  }

  async findNew(lastUid: number): Promise<readonly StoredMail[]> {
    return this.mails.filter(({ uid }) => uid > lastUid);
  }

  async *fetch(mails: readonly StoredMail[]) {
    this.fetched.push(mails.map(({ uid }) => uid));
    for (const one of mails) yield { mail: one, content: one.content };
  }

  async waitForChange(milliseconds: number): Promise<void> {
    this.looks.push(milliseconds);
    throw lost();
  }
}

/** Lets each attempt to connect fail, or open a mailbox. */
function connecting(...attempts: (Error | FakeMailbox)[]) {
  return vi.spyOn(Mailbox, 'open').mockImplementation(async () => {
    const next = attempts.shift() ?? lost();
    if (next instanceof Error) throw next;
    return next as unknown as Mailbox;
  });
}

let boxes = 0;

function start(bounds: Partial<ImportOptions['bounds']> = {}, again = false, name = `box-${boxes++}`) {
  const interruption = new AbortController();
  const options = { accountId: 'a', format: 'auto', action: 'enforced', stripQuery: false } as const;
  const skipped: Record<string, number>[] = [];
  const run = {
    address: { name } as never,
    folders: ['INBOX'],
    credentials: {} as never,
    connection: {} as never,
    again,
    skippedFile: undefined,
    verbose: false,
    optionsOf: async () => ({ ...options, bounds: { ...DEFAULT_BOUNDS, ...bounds } }),
    onBatch: (tally: { skipped: Record<string, number> }) => skipped.push(tally.skipped),
  };
  const importing = new MailboxImport({ databaseUrl: () => database.url }, run, interruption.signal);
  return { importing, interruption, name, skipped };
}

describe('an import that cannot connect', () => {
  it('tries four times, after pauses that double', async () => {
    const open = connecting();
    await expect(start().importing.once()).rejects.toEqual(lost());
    expect(open).toHaveBeenCalledTimes(4);
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(printed).toEqual(
      [1, 2, 4].map(seconds => `The connection was lost. Trying again in ${seconds} s.`),
    );
  });

  it.each([refused(), new Error('defect'), new CommandFailed('no account')])(
    'does not try again after %s',
    async error => {
      const open = connecting(error);
      await expect(start().importing.once()).rejects.toBe(error);
      expect(open).toHaveBeenCalledTimes(1);
    },
  );

  it('counts attempts again after a batch was imported', async () => {
    const failing = new FakeMailbox([mail(1)]);
    failing.end.mockRejectedValue(lost());
    connecting(lost(), lost(), failing);
    await expect(start().importing.once()).rejects.toEqual(lost());
    expect(pauses).toEqual([1000, 2000, 1000, 2000, 4000]);
    expect(failing.close).toHaveBeenCalledTimes(1);
  });
});

describe('an import that follows a mailbox', () => {
  /** The pauses of an import, until it was to make this many of them. */
  async function follow(count: number, ...attempts: (Error | FakeMailbox)[]): Promise<number[]> {
    connecting(...attempts);
    const { importing, interruption } = start();
    onPause = () => pauses.length === count && interruption.abort();
    await importing.follow();
    return pauses;
  }

  it('pauses for up to five minutes after lost connections, and for ten if an operator is needed', async () => {
    const passing = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map(seconds => seconds * 1000);
    expect(await follow(passing.length)).toEqual(passing);
    pauses = [];
    const others = [refused(), lost(), new CommandFailed('no account'), new Error('defect'), lost()];
    expect(await follow(5, ...others)).toEqual([600_000, 1000, 600_000, 2000, 4000]);
  });

  it('varies its pauses by a quarter', async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    expect(await follow(2)).toEqual([750, 1500]);
    expect(printed).toEqual([1, 2].map(seconds => `The connection was lost. Trying again in ${seconds} s.`));
  });

  it('begins with the shortest pause again after it has read its folders or imported a batch', async () => {
    const half = new FakeMailbox([mail(1)]);
    half.findNew = async () => (half.fetched.length > 0 ? Promise.reject(lost()) : half.mails);
    half.folders = ['INBOX', 'Reports'];
    expect(await follow(6, lost(), lost(), new FakeMailbox(), lost(), half)).toEqual([
      1000, 2000, 1000, 2000, 1000, 2000,
    ]);
  });

  it('looks every nine minutes, and every minute with several folders, the first of which stays open', async () => {
    const [one, several] = [new FakeMailbox(), new FakeMailbox([], ['INBOX', 'Reports', 'Spam'])];
    await follow(2, one, several);
    expect([one.looks, one.read]).toEqual([[540_000], ['INBOX']]);
    expect([several.looks, several.read]).toEqual([[60_000], ['INBOX', 'Reports', 'Spam', 'INBOX']]);
    expect(several.close).toHaveBeenCalledTimes(1);
  });

  it('ends without a message if it is stopped while it waits', async () => {
    const box = new FakeMailbox();
    connecting(box);
    const { importing, interruption } = start();
    box.waitForChange = async () => {
      interruption.abort();
      throw lost();
    };
    await importing.follow();
    expect([pauses, printed]).toEqual([[], []]);
  });
});

describe('a batch of mails', () => {
  const MOST = 64 * 1024 * 1024;
  it.each([
    ['500 mails', Array.from({ length: 1001 }, (_, index) => mail(index + 1)), [500, 500, 1]],
    ['64 MiB', [mail(1, MOST - 1), mail(2, 1), mail(3, 1)], [2, 1]],
    ['a mail above 64 MiB', [mail(1, 1), mail(2, MOST + 1), mail(3, MOST), mail(4, 1)], [1, 1, 1, 1]],
  ])('has at most %s', async (_, mails, lengths) => {
    const box = new FakeMailbox(mails);
    connecting(box);
    const { importing, skipped } = start({ mail: 2 * MOST });
    await importing.once();
    expect(box.fetched.map(uids => uids.length)).toEqual(lengths);
    expect(skipped).toEqual(lengths.map(() => ({})));
    expect(box.end).toHaveBeenCalledTimes(1);
  });

  it('leaves out mails above the limit, and names those that the server does not send', async () => {
    const box = new FakeMailbox([mail(1, 100), mail(2, 101), { ...mail(3), content: null }]);
    connecting(box);
    const { importing, skipped } = start({ mail: 100 });
    await importing.once();
    expect(box.fetched).toEqual([[1, 3]]);
    expect(skipped).toEqual([
      { 'is a mail that is too large': 1, 'could not be fetched from the mail server': 1 },
    ]);
    expect(printed).toEqual([
      'INBOX: mail 2 is a mail that is too large: 101 bytes, but --max-mail allows 100',
      'INBOX: mail 3 could not be fetched from the mail server',
    ]);
  });

  it('begins with the first mail if the mailbox is to be read again, but only once', async () => {
    const box = new FakeMailbox([mail(1), mail(2)]);
    connecting(box, box, box);
    const { importing, name } = start();
    await importing.once();
    const again = start({}, true, name).importing;
    await again.once();
    await again.once();
    expect(box.fetched).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('that is interrupted by a lost connection is read again', async () => {
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('Subject: a\r\n');
      throw lost();
    }
    const failing = new FakeMailbox([{ ...mail(7), content: cut() }, mail(8)]);
    const later = new FakeMailbox([mail(7), mail(8)]);
    connecting(failing, later);
    const { importing, name, skipped } = start();
    await importing.once();
    expect([pauses, skipped, later.fetched]).toEqual([[1000], [{}], [[7, 8]]]);
    const last = new FakeMailbox([mail(8), mail(9)]);
    connecting(last);
    await start({}, false, name).importing.once();
    expect(last.fetched).toEqual([[9]]);
    const renumbered = new FakeMailbox([mail(8)]);
    renumbered.uidValidity = '2';
    connecting(renumbered);
    printed = [];
    await start({}, false, name).importing.once();
    expect([renumbered.fetched, printed]).toEqual([
      [[8]],
      ['INBOX was recreated on the mail server, so it is read from its start. No report counts twice.'],
    ]);
  });
});
