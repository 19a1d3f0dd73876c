import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseMailboxAddress } from '../../src/imap/address.ts';
import { Mailbox, type WaitingMail } from '../../src/imap/mailbox.ts';

const MIB = 1024 * 1024;

let folder: string;
let server: Server;
/** The mails of the folder by UID. The server finds them, but does not return those that are undefined. */
const mails = new Map<number, string | undefined>();
/** The UIDs and ranges of the fetched texts. */
const fetched: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-fetch-'));
  await writeFile(join(folder, 'password'), 'correct', { mode: 0o600 });
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  mails.clear();
  fetched.length = 0;
});

/** Answers as a mail server that has the mails. */
function answer(socket: Socket): void {
  socket.on('error', () => {});
  socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
  createInterface(socket).on('line', line => {
    const [tag, command, second, third = ''] = line.split(' ');
    if (command === 'EXAMINE') socket.write('* 1 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n');
    if (second === 'SEARCH') socket.write(`* SEARCH ${[...mails.keys()].join(' ')}\r\n`);
    if (second === 'FETCH') {
      const [, start, length] = /<(\d+)\.(\d+)>/.exec(line)!.map(Number);
      fetched.push(`${third} from ${start}`);
      for (const uid of third.split(',').map(Number)) {
        const text = mails.get(uid)?.slice(start, start! + length!);
        if (text !== undefined)
          socket.write(`* ${uid} FETCH (UID ${uid} BODY[]<${start}> {${text.length}}\r\n${text})\r\n`);
      }
    }
    socket.write(`${tag} OK ${command === 'EXAMINE' ? '[READ-ONLY] ' : ''}done\r\n`);
    if (command === 'LOGOUT') socket.end();
  });
}

/** Fetches mails of these sizes, and returns for each its UID and what was read of it. */
async function fetchMails(...waiting: [uid: number, size: number][]): Promise<unknown[]> {
  const { port } = server.address() as AddressInfo;
  const mailbox = await Mailbox.open(
    parseMailboxAddress(`imap://ann@127.0.0.1:${port}/`),
    { passwordFile: join(folder, 'password') },
    { authority: undefined, timeout: 60_000 },
    new AbortController().signal,
  );
  try {
    await mailbox.examine('INBOX');
    const found: unknown[] = [];
    const list = waiting.map(([uid, size]): WaitingMail => ({ uid, size, received: 0 }));
    for await (const { mail, content } of mailbox.fetch(list)) found.push([mail.uid, await readAll(content)]);
    return found;
  } finally {
    await mailbox.end();
  }
}

async function readAll(content: AsyncIterable<Uint8Array> | undefined | null): Promise<unknown> {
  if (!content) return content;
  let text = '';
  try {
    for await (const chunk of content) text += Buffer.from(chunk).toString('latin1');
  } catch (error) {
    return (error as Error).message;
  }
  return text.length > 100 ? text.length : text;
}

const uidsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

it('small mails are fetched up to 200 together', async () => {
  for (const uid of uidsFrom(1, 401)) mails.set(uid, `mail ${uid}`);
  const found = await fetchMails(...uidsFrom(1, 401).map((uid): [number, number] => [uid, 10]));
  expect(found).toEqual(uidsFrom(1, 401).map(uid => [uid, `mail ${uid}`]));
  expect(fetched).toEqual([
    `${uidsFrom(1, 200).join()} from 0`,
    `${uidsFrom(201, 200).join()} from 0`,
    '401 from 0',
  ]);
});

it('mails are fetched up to 8 MiB together, and those of more than 1 MiB alone', async () => {
  for (const uid of uidsFrom(1, 12)) mails.set(uid, `mail ${uid}`);
  const sizes: [number, number][] = [
    ...uidsFrom(1, 9).map((uid): [number, number] => [uid, MIB]),
    ...([
      [10, MIB + 1],
      [11, 1],
      [12, 1],
    ] as [number, number][]),
  ];
  const found = await fetchMails(...sizes);
  expect(found).toEqual(uidsFrom(1, 12).map(uid => [uid, `mail ${uid}`]));
  expect(fetched).toEqual([`${uidsFrom(1, 8).join()} from 0`, '9 from 0', '10 from 0', '11,12 from 0']);
});

it('a mail is fetched in parts of 1 MiB, also if it is larger than the server said', async () => {
  mails.set(1, 'a'.repeat(2 * MIB + 1));
  mails.set(2, 'b'.repeat(MIB));
  mails.set(3, 'c'.repeat(MIB - 1));
  const found = await fetchMails([1, 2 * MIB + 1], [2, 5], [3, 5]);
  expect(found).toEqual([
    [1, 2 * MIB + 1],
    [2, MIB],
    [3, MIB - 1],
  ]);
  expect(fetched).toEqual([
    ...['1 from 0', `1 from ${MIB}`, `1 from ${2 * MIB}`],
    ...['2,3 from 0', `2 from ${MIB}`],
  ]);
});

it('a mail that is missing is told from one that the server does not return', async () => {
  mails.set(1, 'mail 1');
  mails.set(2, undefined);
  mails.set(4, undefined);
  const found = await fetchMails([1, 1], [2, 1], [3, 1], [4, 2 * MIB], [5, 2 * MIB]);
  expect(found).toEqual([
    [1, 'mail 1'],
    [2, null],
    [3, undefined],
    [4, null],
    [5, undefined],
  ]);
});

it('a mail that is deleted while it is read fails', async () => {
  mails.set(1, 'a'.repeat(2 * MIB));
  const { get } = mails;
  mails.get = uid => {
    const text = get.call(mails, uid);
    mails.delete(uid);
    return text;
  };
  try {
    const found = await fetchMails([1, 2 * MIB]);
    expect(found).toEqual([[1, 'was deleted on the mail server while it was read']]);
  } finally {
    mails.get = get;
  }
});
