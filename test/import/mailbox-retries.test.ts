import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_BOUNDS, type ImportOptions, Routes } from '@sightline/importer';
import { Mailbox, MailboxFailed, type WaitingMail } from '@sightline/importer/imap';
import { CommandFailed, INCOMPLETE, INTERRUPTED } from '@sightline/tools';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aggregateXml, mailWith } from '../../packages/importer/test/reports.ts';
import { LOCK_REPORTS } from '../../sql/feed/lock.ts';
import { MailboxImport } from '../../src/cli/import-mailbox.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { makeFolder } from '../support/folder.ts';
import { sightlineHere } from '../support/sightline.ts';
import { simulatePauses } from '../support/simulated-pauses.ts';

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'), account('b'));
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

function start(
  bounds: Partial<ImportOptions['bounds']> = {},
  again = false,
  name = `box-${boxes++}`,
  more: Partial<ImportOptions> = {},
) {
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
    optionsOf: async () => ({ ...options, bounds: { ...DEFAULT_BOUNDS, ...bounds }, ...more }),
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

/** The maximum size of a batch: a mail of this size is a batch by itself. */
const MOST = 64 * 1024 * 1024;

/** A mail in a batch by itself; by default, it contains no report. */
const withText = (uid: number, text = 'Subject: lunch\n\nAt noon?\n'): StoredMail => ({
  ...mail(uid, MOST),
  content: (async function* () {
    yield Buffer.from(text);
  })(),
});

describe('a batch of mails', () => {
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

  it('waits for another load, and says so once', async () => {
    const box = new FakeMailbox([mail(1)]);
    connecting(box);
    const other = await database.sql.begin();
    await other.query(LOCK_REPORTS);
    let released: Promise<void> | undefined;
    onPause = () => {
      if (pauses.length === 3) released = other.commit();
    };
    const { importing } = start();
    await importing.once();
    await released;
    expect(printed).toEqual(['Another load is running: waiting for it.']);
    expect(new Set(pauses)).toEqual(new Set([100]));
  });

  it('shows how many mails of the folder were imported before it', async () => {
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    try {
      connecting(new FakeMailbox([withText(1), withText(2), withText(3)]));
      await start({ mail: MOST }).importing.once();
    } finally {
      process.stderr.isTTY = isTTY;
    }
    const progress = printed.flatMap(text => /^INBOX: .* imported/.exec(text) ?? []);
    expect(progress).toEqual([0, 1, 2].map(done => `INBOX: ${done} of 3 mails imported`));
  });
});

describe('a folder of a mailbox', () => {
  const ROUTES = new Routes([['acme.example', 'a']]);
  const PRESENT = { again: false, name: '', folder: 'INBOX', options: {} as Partial<ImportOptions> };

  it.each<[string, Partial<typeof PRESENT>]>([
    ['an import for another account', { options: { accountId: 'b' } }],
    ['an import of another format', { options: { format: 'dmarc' } }],
    ['an import with other limits', { options: { bounds: { ...DEFAULT_BOUNDS, parts: 999 } } }],
    ['an import with routes', { options: { routes: ROUTES } }],
    ['another folder', { folder: 'Reports' }],
    ['another mailbox', { name: 'other' }],
  ])('is read from its start by %s, and continues otherwise', async (_, more) => {
    const own = `own-${boxes++}`;
    const read = async (changes: Partial<typeof PRESENT>) => {
      const { again, name, folder, options } = { ...PRESENT, ...changes };
      const box = new FakeMailbox([mail(1), mail(2)], [folder]);
      connecting(box);
      await start({}, again, `${own}${name}`, options).importing.once();
      return box.fetched;
    };
    const all = [[1, 2]];
    expect([await read({}), await read({})]).toEqual([all, []]);
    expect([await read(more), await read(more)]).toEqual([all, []]);
    // Positions differ by account, mailbox, folder and format, but the last options of the others count.
    const replaces = more.options?.bounds ?? more.options?.routes;
    if (!replaces) expect([await read({ ...more, again: true }), await read({})]).toEqual([all, []]);
  });
});

describe('sightline import --imap', () => {
  const importing = ['import', '--account', 'a', '--imap', 'imaps://me@mail.example', '--password-file', 'p'];
  const run = (...args: string[]) => sightlineHere([...importing, ...args], { DATABASE_URL: database.url });
  const reportOf = (id: string) => mailWith({ bytes: aggregateXml([{ count: 1 }], id) });
  const MAILS = () => [withText(1, reportOf('one')), withText(2), withText(3, reportOf('three'))];

  it('adds up its batches in one summary, whose exit code says that a mail was skipped', async () => {
    connecting(new FakeMailbox(MAILS()), new FakeMailbox());
    const folder = makeFolder();
    const list = join(folder, 'skipped');
    const { code, stderr } = await run('--max-mail', '68M', '--skipped', list);
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      INCOMPLETE,
      expect.stringMatching(
        /^Imported dmarc 2; 2 items read; 0 repeated; 1 skipped \(is a mail without a report 1\); \d+\.\d s$/,
      ),
    ]);
    expect(JSON.parse(readFileSync(list, 'utf8'))).toMatchObject({ place: 'INBOX: mail 2' });
    rmSync(folder, { recursive: true });
    const again = await run('--json');
    expect([again.code, JSON.parse(again.stderr)]).toMatchObject([0, { items: 0, skipped: {} }]);
  });

  it('prints a summary of each batch if it follows the mailbox, and ends with SIGTERM', async () => {
    const received = Date.now() - 3_600_000;
    const page = { 'document-uri': 'https://acme.example/', 'blocked-uri': 'inline' };
    const bytes = JSON.stringify({ 'csp-report': { ...page, 'violated-directive': 'x' } });
    const box = new FakeMailbox([...MAILS(), { ...withText(4, mailWith({ bytes })), received }]);
    box.uidValidity = 'followed';
    const end = () => void process.emit('SIGTERM', 'SIGTERM');
    onPause = end;
    box.waitForChange = async () => {
      end();
      throw lost();
    };
    connecting(box);
    const { code, stderr } = await run('--follow', '--json', '--max-mail', '68M');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Following me@mail\.example:993\.\n/);
    const summaries = stderr.split('\n').filter(line => line.startsWith('{'));
    expect(summaries.map(line => JSON.parse(line))).toMatchObject([
      { items: 0, repeated: 1 },
      { items: 0, skipped: { 'is a mail without a report': 1 } },
      { items: 0, repeated: 1 },
      { items: 1, records: { csp: 1 }, received: { line: 0, option: 0, file: 1 } },
    ]);
    const [stored] = await database.rows("select date from report where type = 'csp'");
    expect(stored).toEqual({ date: new Date(received) });
  });

  it('says that the next import continues if it is interrupted, and what it has imported', async () => {
    const box = new FakeMailbox([withText(1, reportOf('first')), withText(2)]);
    box.uidValidity = 'interrupted';
    const { fetch } = box;
    box.fetch = mails => {
      if (mails[0]?.uid === 2) process.emit('SIGTERM', 'SIGTERM');
      return fetch.call(box, mails);
    };
    connecting(box);
    const { code, stderr } = await run('--max-mail', '68M');
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      INTERRUPTED,
      expect.stringMatching(
        /^Interrupted: the next import continues from here\. Imported dmarc 1; 1 items read; .*\d s$/,
      ),
    ]);
  });

  it.each<[args: string[], folders: string[], connection: object, credentials: object]>([
    [[], ['INBOX'], { timeout: 60_000 }, { passwordFile: 'p' }],
    [['--folder', 'A', '--folder', 'B*'], ['A', 'B*'], { timeout: 60_000 }, { passwordFile: 'p' }],
    [['--imap', 'imaps://me@mail.example/Own'], ['Own'], { timeout: 60_000 }, { passwordFile: 'p' }],
    [
      ['--imap', 'imaps://me@mail.example/Own', '--folder', 'A', '--ca', 'ca.pem', '--timeout', '5s'],
      ['Own', 'A'],
      { authority: 'ca.pem', timeout: 5000 },
      { passwordFile: 'p' },
    ],
  ])('with %j reads %j', async (args, folders, connection, credentials) => {
    const box = new FakeMailbox([], []);
    const select = vi.spyOn(box, 'selectFolders');
    const open = connecting(box);
    expect((await run(...args)).code).toBe(0);
    expect(select).toHaveBeenCalledWith(folders);
    expect(open.mock.calls[0]!.slice(0, 3)).toEqual([
      expect.objectContaining({ user: 'me', host: 'mail.example', port: 993, isSecure: true }),
      credentials,
      connection,
    ]);
  });
});
