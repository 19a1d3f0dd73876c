import { getEventListeners, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../../../test/support/until.ts';
import { parseMailboxAddress } from '../../src/imap/address.ts';
import { Mailbox } from '../../src/imap/mailbox.ts';

/** Lines before the final answer to a command, or that answer itself in place of `OK`. */
type Answers = Partial<Record<string, readonly string[]>>;

let folder: string;
let server: Server;
let port: number;
/** The server's responses in the current test, and the commands and connections that it received. */
let answers: Answers = {};
const commands: string[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-connection-'));
  await writeFile(join(folder, 'password'), 'correct', { mode: 0o600 });
  server = createServer(answer).listen(0);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  answers = {};
  commands.length = 0;
  sockets.length = 0;
});

function answer(socket: Socket): void {
  sockets.push(socket);
  socket.on('error', () => {});
  if (answers.greeting) return;
  socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n');
  let idleTag = '';
  const lines = createInterface(socket).on('error', () => {});
  lines.on('line', line => {
    const [tag = '', first = '', second = ''] = line.split(' ');
    const command = first === 'UID' ? second : first;
    if (tag === 'DONE') {
      commands.push('DONE');
      socket.write(`${idleTag} OK done\r\n`);
      return;
    }
    commands.push(command);
    // The client also asks for the separator of names, with an empty pattern.
    const answered = (line.endsWith('LIST "" ""') ? undefined : answers[command]) ?? [];
    for (const one of answered) if (one.startsWith('*')) socket.write(`${one}\r\n`);
    if (answered.includes('silence')) return;
    if (command === 'EXAMINE') socket.write('* 1 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n');
    if (command === 'IDLE') {
      idleTag = tag;
      socket.write('+ idling\r\n');
      return;
    }
    const end =
      answered.find(one => !one.startsWith('*')) ?? `OK ${command === 'EXAMINE' ? '[READ-ONLY] ' : ''}`;
    socket.write(`${tag} ${end}done\r\n`);
    if (command === 'LOGOUT') socket.end();
  });
}

function open(signal = new AbortController().signal, timeout = 60_000, host = '127.0.0.1'): Promise<Mailbox> {
  return Mailbox.open(
    parseMailboxAddress(`imap://ann@${host}:${port}/`),
    { passwordFile: join(folder, 'password') },
    { authority: undefined, timeout },
    signal,
  );
}

async function inMailbox<Result>(use: (mailbox: Mailbox) => Promise<Result>): Promise<Result> {
  const mailbox = await open();
  try {
    return await use(mailbox);
  } finally {
    await mailbox.end();
  }
}

const listed = (count: number) =>
  Array.from({ length: count }, (_, index) => `* LIST (\\HasNoChildren) "/" "F${index + 10}"`);

describe('a mail server', () => {
  it.each([
    [20, 'F28, F29.'],
    [21, 'F28, F29, ….'],
  ])('with %i folders has up to 20 of them named if a folder is missing', async (count, end) => {
    answers = { LIST: listed(count) };
    const { message } = await inMailbox(mailbox => mailbox.selectFolders(['none']).catch(error => error));
    expect(message.endsWith(end)).toBe(true);
  });

  it('has no mails in a folder that only contains others', async () => {
    answers = { LIST: ['* LIST (\\Noselect) "/" "Fa"', '* LIST () "/" "Fa/b"'] };
    await inMailbox(async mailbox => {
      expect(await mailbox.selectFolders(['F*'])).toEqual(['Fa/b']);
      await expect(mailbox.selectFolders(['Fa'])).rejects.toThrow('It has: Fa/b.');
    });
  });

  it('is refused if it opens a folder for writing', async () => {
    answers = { EXAMINE: ['OK [READ-WRITE] '] };
    const failed = await inMailbox(mailbox => mailbox.examine('INBOX').catch(error => error));
    expect(failed.message).toBe('127.0.0.1 opens the folder "INBOX" only for writing: nothing was read.');
    expect([failed.isPassing, commands.includes('SELECT')]).toEqual([false, false]);
  });

  it('can be asked again if it refuses to search', async () => {
    answers = { SEARCH: ['NO '] };
    const failed = await inMailbox(async mailbox => {
      await mailbox.examine('INBOX');
      return mailbox.findNew(0).catch(error => error);
    });
    expect(failed.message).toBe('127.0.0.1 refuses to search for mails.');
    expect(failed.isPassing).toBe(true);
  });

  it('need not say the size and date of a mail, and can name others', async () => {
    const named = [
      '* 2 FETCH (UID 8 RFC822.SIZE 9 INTERNALDATE "soon")',
      '* 3 FETCH (UID 4 RFC822.SIZE 5)',
      '* 1 FETCH (UID 7)',
    ];
    answers = { SEARCH: ['* SEARCH 8 7'], FETCH: named };
    const found = await inMailbox(async mailbox => {
      await mailbox.examine('INBOX');
      return mailbox.findNew(4);
    });
    expect(found).toEqual([
      { uid: 7, size: 0, received: 0 },
      { uid: 8, size: 9, received: 0 },
    ]);
  });

  it('is given up if a response is longer than any mail part that is asked for', async () => {
    answers = { FETCH: [`* 1 FETCH (UID 7 BODY[]<0> {${4 * 1024 * 1024 + 1}}`, 'silence'] };
    const mailbox = await open(undefined, 5000);
    try {
      await mailbox.examine('INBOX');
      const reading = (async () => {
        for await (const _ of mailbox.fetch([{ uid: 7, size: 5, received: 0 }]));
      })();
      await expect(reading).rejects.toThrow('The connection to 127.0.0.1 was lost at mails: ');
      await expect(mailbox.examine('INBOX')).rejects.toThrow('4194304');
    } finally {
      mailbox.close();
    }
  });

  it('of another machine must offer STARTTLS', async () => {
    const connect = Socket.prototype.connect as (...args: unknown[]) => Socket;
    const connectHere = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
      this: Socket,
      ...args: unknown[]
    ) {
      const [, then] = args[0] as [unknown, () => void];
      return connect.call(this, { host: '127.0.0.1', port }, then);
    });
    try {
      await expect(open(undefined, 5000, 'imap.example')).rejects.toThrow('imap.example offers no STARTTLS');
    } finally {
      connectHere.mockRestore();
    }
    expect(commands).not.toContain('LOGIN');
  });

  it.each(['greeting', 'LOGIN'])('is given up if it remains silent in place of its %s', async step => {
    answers = { [step]: ['silence'] };
    await expect(open(undefined, 200)).rejects.toThrow('did not answer in time');
  });
});

describe('a connection to a mail server', () => {
  it('is not made after the abort', async () => {
    await expect(open(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(sockets).toHaveLength(0);
  });

  it('ends with the abort, which leaves no listener', async () => {
    const ending = new AbortController();
    const mailbox = await open(ending.signal);
    const closed = once(sockets[0]!, 'close');
    expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1);
    ending.abort();
    await closed;
    await expect(mailbox.examine('INBOX')).rejects.toThrow('The connection to 127.0.0.1 was lost');
    await expect(mailbox.findNew(0)).rejects.toThrow('The connection to 127.0.0.1 was lost');
  });

  it('that is lost names the cause, also to later commands', async () => {
    answers = { SEARCH: ['silence'] };
    await inMailbox(async mailbox => {
      await mailbox.examine('INBOX');
      const finding = mailbox.findNew(0).catch(error => error);
      await until(() => commands.includes('SEARCH'));
      sockets[0]!.resetAndDestroy();
      const { message, isPassing } = await finding;
      expect(message).toBe(
        'The connection to 127.0.0.1 was lost at a search: read ECONNRESET. Check the network.',
      );
      expect(isPassing).toBe(true);
      await expect(mailbox.examine('INBOX')).rejects.toThrow('read ECONNRESET');
    });
  });

  it('ends with a logout, even if the server has ended it before', async () => {
    const { signal } = new AbortController();
    const mailbox = await open(signal);
    const closed = once(sockets[0]!, 'close');
    await mailbox.end();
    await closed;
    expect(commands).toContain('LOGOUT');
    await mailbox.end();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('a wait for mails', () => {
  /** Opens a folder and waits; the server does something once it knows of the wait. */
  async function wait(milliseconds: number, during: (ending: AbortController) => void): Promise<unknown> {
    const ending = new AbortController();
    const mailbox = await open(ending.signal);
    try {
      await mailbox.examine('INBOX');
      await mailbox.findNew(0);
      const before = getEventListeners(ending.signal, 'abort').length;
      const waiting = mailbox.waitForChange(milliseconds, ending.signal).catch(error => error);
      if (milliseconds > 1000) await until(() => commands.includes('IDLE'));
      during(ending);
      const result = await waiting;
      if (!result) expect(getEventListeners(ending.signal, 'abort')).toHaveLength(before);
      return result;
    } finally {
      mailbox.close();
    }
  }
  const LONG = 1_000_000;

  it('ends when the server announces a mail, and leaves no timer that could end a later one', async () => {
    const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    onTestFinished(() => {
      for (const spy of [set, clear]) spy.mockRestore();
    });
    expect(await wait(LONG, () => sockets[0]!.write('* 2 EXISTS\r\n'))).toBeUndefined();
    const timer =
      set.mock.results[set.mock.calls.findIndex(([, milliseconds]) => milliseconds === LONG)]!.value;
    expect(clear.mock.calls.some(([cleared]) => cleared === timer)).toBe(true);
    expect(commands.slice(commands.indexOf('IDLE'))).toEqual(['IDLE', 'DONE', 'NOOP']);
  });

  it('ends after its time', async () => {
    expect(await wait(20, () => {})).toBeUndefined();
    expect(commands.slice(-2)).toEqual(['DONE', 'NOOP']);
  });

  it('does not begin if a mail was announced since the last look', async () => {
    answers = { SEARCH: ['* 2 EXISTS', '* SEARCH'] };
    expect(await wait(20, () => {})).toBeUndefined();
    expect(commands).not.toContain('IDLE');
  });

  it('begins if the mail was found by a later look', async () => {
    answers = { SEARCH: ['* 2 EXISTS', '* SEARCH'] };
    await inMailbox(async mailbox => {
      await mailbox.examine('INBOX');
      await mailbox.findNew(0);
      answers = {};
      await mailbox.findNew(0);
      await mailbox.waitForChange(20, new AbortController().signal);
    });
    expect(commands).toContain('IDLE');
  });

  it('ends at once after an abort', async () => {
    await inMailbox(async mailbox => {
      await mailbox.examine('INBOX');
      await expect(mailbox.waitForChange(LONG, AbortSignal.abort())).rejects.toThrow('aborted');
    });
  });

  it('ends with the abort', async () => {
    expect(await wait(LONG, ending => ending.abort())).toMatchObject({ name: 'AbortError' });
  });

  it('fails if the server ends the connection', async () => {
    expect(await wait(LONG, () => sockets[0]!.destroy())).toMatchObject({
      message: expect.stringContaining('The connection to 127.0.0.1 was lost at a wait for mails'),
      isPassing: true,
    });
  });
});
