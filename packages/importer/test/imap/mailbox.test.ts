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

/** Answers as a mail server that has the folders, and agrees to everything. */
function answer(socket: Socket): void {
  socket.on('error', () => {});
  socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
  createInterface(socket).on('line', line => {
    const [tag, command, , pattern] = line.split(' ');
    if (command === 'LIST' && pattern === '"*"')
      for (const name of FOLDERS) socket.write(`* LIST (\\HasNoChildren) "/" "${name}"\r\n`);
    socket.write(`${tag} OK done\r\n`);
    if (command === 'LOGOUT') socket.end();
  });
}

async function select(...names: string[]): Promise<string[]> {
  const mailbox = await Mailbox.open(
    parseMailboxAddress(`imap://ann@127.0.0.1:${port}/`),
    { passwordFile: join(folder, 'password') },
    { authority: undefined, timeout: 60_000 },
    new AbortController().signal,
  );
  try {
    return await mailbox.selectFolders(names);
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

it.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['mail.localhost.example', false],
  ['localhost.example', false],
  ['128.0.0.1', false],
])('a mail server at %s is on this machine: %s', (host, local) => {
  expect(isLocal(parseMailboxAddress(`imap://ann@${host}/`))).toBe(local);
});
