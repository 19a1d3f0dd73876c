import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCredentials } from '../../src/imap/credentials.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-credentials-'));
  path = join(folder, 'password');
});
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string, mode = 0o600) {
  await writeFile(path, text);
  await chmod(path, mode);
  return readCredentials({ passwordFile: path });
}

it.each([
  ['secret', 'secret'],
  ['secret\n', 'secret'],
  ['secret\r\n', 'secret'],
  ['secret\n\n', 'secret'],
  [' two words \n', ' two words '],
  ['two\nlines\n', 'two\nlines'],
])('a password ends before the line breaks at the end of its file: %j', async (text, pass) => {
  expect(await read(text)).toEqual({ pass });
});

it.each<[string, number, string]>([
  ['', 0o600, 'is empty'],
  ['\r\n', 0o600, 'is empty'],
  ['secret', 0o640, 'can be read by other users'],
  ['secret', 0o604, 'can be read by other users'],
  ['secret', 0o610, 'can be read by other users'],
  ['secret', 0o601, 'can be read by other users'],
])('a file with the password %j and the mode %i is rejected', async (text, mode, problem) => {
  const message = expect.stringMatching(new RegExp(`^--password-file ${path} ${problem}`));
  await expect(read(text, mode)).rejects.toMatchObject({ message });
});

it('a missing password file is named with the cause', async () => {
  const missing = join(folder, 'missing');
  await expect(readCredentials({ passwordFile: missing })).rejects.toThrow(
    `--password-file ${missing} cannot be read: ENOENT`,
  );
});

it.runIf(process.platform !== 'win32').each([
  ['echo abc.DEF', 'abc.DEF'],
  ["printf ' abc\\r\\n'", 'abc'],
])('the command %s prints the token', async (tokenCommand, accessToken) => {
  expect(await readCredentials({ tokenCommand })).toEqual({ accessToken });
});

it.each([
  ['echo two words', 'must print a token, and nothing else'],
  ['exit 0', 'must print a token, and nothing else'],
  ['echo secret >&2; exit 3', 'ended with 3: run it by itself'],
])('the command %s is rejected', async (tokenCommand, problem) => {
  await expect(readCredentials({ tokenCommand })).rejects.toThrow(`--token-command ${problem}`);
});

it('a password file of more than 64 KiB is rejected', async () => {
  const longest = 'x'.repeat(64 * 1024);
  expect(await read(longest)).toEqual({ pass: longest });
  await expect(read(`${longest}x`)).rejects.toThrow('is too long for a password');
});
