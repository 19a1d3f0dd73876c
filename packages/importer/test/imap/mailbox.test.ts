import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLocal, parseMailboxAddress } from '../../src/imap/address.ts';
import { Mailbox } from '../../src/imap/mailbox.ts';

const FOLDERS = ['INBOX', 'Reports', 'Reports/DMARC', 'Reports/DMARC/2026', 'ab', 'aba', 'reports'];

let folder: string;
let server: Server;
let port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-mailbox-'));
  await writeFile(join(folder, 'password'), 'correct', { mode: 0o600 });
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** The UIDs of the mails in each folder. */
const UIDS = Array.from({ length: 4001 }, (_, index) => 2 * index + 1);

/** Answers as a mail server that has the folders, and agrees to everything. */
function answer(socket: Socket): void {
  socket.on('error', () => {});
  socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
  createInterface(socket).on('line', line => {
    const [tag, command, second, third] = line.split(' ');
    if (command === 'LIST' && third === '"*"')
      for (const name of FOLDERS) socket.write(`* LIST (\\HasNoChildren) "/" "${name}"\r\n`);
    if (command === 'EXAMINE')
      socket.write(`* ${UIDS.length} EXISTS\r\n* OK [UIDVALIDITY 7]\r\n${tag} OK [READ-ONLY] done\r\n`);
    if (command === 'UID' && second === 'SEARCH') socket.write(`* SEARCH ${UIDS.join(' ')}\r\n`);
    if (command === 'UID' && second === 'FETCH') socket.write(listSizes(third!));
    if (command !== 'EXAMINE') socket.write(`${tag} OK done\r\n`);
    if (command === 'LOGOUT') socket.end();
  });
}

function listSizes(range: string): string {
  const [first, last] = range.split(':').map(Number) as [number, number];
  const lines = UIDS.map((uid, index) =>
    uid < first || uid > last
      ? ''
      : `* ${index + 1} FETCH (UID ${uid} RFC822.SIZE ${uid + 100} INTERNALDATE "28-Nov-2026 12:00:00 +0000")\r\n`,
  );
  return lines.join('');
}

async function select(...names: string[]): Promise<string[]> {
  return inMailbox(mailbox => mailbox.selectFolders(names));
}

async function inMailbox<Result>(use: (mailbox: Mailbox) => Promise<Result>): Promise<Result> {
  const mailbox = await Mailbox.open(
    parseMailboxAddress(`imap://ann@127.0.0.1:${port}/`),
    { passwordFile: join(folder, 'password') },
    { authority: undefined, timeout: 60_000 },
    new AbortController().signal,
  );
  try {
    return await use(mailbox);
  } finally {
    await mailbox.end();
  }
}

it.each<[names: string[], found: string[]]>([
  [['inbox'], ['INBOX']],
  [['reports'], ['reports']],
  [
    ['Reports', 'InBox', 'INBOX'],
    ['INBOX', 'Reports'],
  ],
  [['Reports/*'], ['Reports/DMARC', 'Reports/DMARC/2026']],
  [['*/*/*'], ['Reports/DMARC/2026']],
  [['*DMARC'], ['Reports/DMARC']],
  [['R*/2026'], ['Reports/DMARC/2026']],
  [['ab*'], ['ab', 'aba']],
  [['*a*a*'], ['aba']],
])('the folders of a mail server with the names %j are %j', async (names, found) => {
  expect((await select(...names)).sort()).toEqual(found);
});

it.each(['REPORTS', 'Reports/', 'ab*ba', 'Reports/*C*C', 'DMARC*'])(
  'the name %s is rejected if the mail server has no such folder',
  async name => {
    const refusal = `ann@127.0.0.1:${port} has no folder "${name}". It has: INBOX, `;
    await expect(select('INBOX', name)).rejects.toThrow(refusal);
  },
);

const LISTED = 'the mails after %d are each listed once, in order';
async function expectListed(last: number): Promise<void> {
  const found = await inMailbox(async mailbox => {
    expect(await mailbox.examine('INBOX')).toBe('7');
    return mailbox.findNew(last);
  });
  const received = Date.parse('2026-11-28T12:00:00Z');
  expect(found).toEqual(UIDS.filter(uid => uid > last).map(uid => ({ uid, size: uid + 100, received })));
}
it.each([0, 7999, 8001])(LISTED, expectListed);
it.each([1, 2])(LISTED, { tags: 'slow' }, expectListed);

it.each([
  ['missing', 'cannot be read: ENOENT'],
  ['password', 'contains no certificate: it must be PEM'],
])('a file of an authority is refused before the connection: %s', async (name, problem) => {
  const authority = join(folder, name);
  const opening = Mailbox.open(
    parseMailboxAddress(`imaps://ann@127.0.0.1:${port}/`),
    { passwordFile: join(folder, 'password') },
    { authority, timeout: 60_000 },
    new AbortController().signal,
  );
  await expect(opening).rejects.toThrow(`--ca ${authority} ${problem}`);
});

it.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['mail.localhost.example', false],
  ['mail-localhost', false],
  ['localhost.example', false],
  ['128.0.0.1', false],
])('a mail server at %s is on this machine: %s', (host, local) => {
  expect(isLocal(parseMailboxAddress(`imap://ann@${host}/`))).toBe(local);
});
