import { hash, randomInt } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { parsed } from './json.ts';

/** An address that browsers report to: `/r/TOKEN`. */
export interface Token {
  account: string;
  /** Reports of pages on other hosts are left out; all count where it is empty. */
  hosts: readonly string[];
  /** Percent of reports that are kept, by type; all where there is none. */
  sampling: Readonly<Record<string, number>>;
}

/** The file of tokens cannot be used. The message names the line or the field. */
export class TokenFileError extends Error {
  override name = 'TokenFileError';
}

const host = z
  .string()
  .regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i, 'must be host names')
  .toLowerCase();
const grant = z.strictObject({
  account: z.string().regex(/^(?!\.)[^/\\\0]{1,255}$/, 'must be good as the name of a folder'),
  hosts: z.array(host).max(100).default([]),
  sampling: z.record(z.string(), z.int('must be percents').min(1).max(100)).default({}),
});
const entry = grant.extend({ sha256: z.string(), created: z.iso.datetime() });

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Characters that hold 128 bits. */
const LENGTH = 22;

function newToken(): string {
  return Array.from({ length: LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

/** To find a token by its digest takes the same time for all. */
function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * Makes a token, and adds its digest to the file as one line: a reader sees all of it or nothing.
 * @returns the token, which is kept nowhere
 * @throws {TokenFileError} for an account or a host that cannot be
 */
export async function createToken(path: string, wanted: Partial<Token>, now = new Date()): Promise<string> {
  const read = grant.safeParse(wanted);
  if (!read.success) throw new TokenFileError(problemOf(read.error));
  const token = newToken();
  const line = JSON.stringify({ sha256: digestOf(token), ...read.data, created: now.toISOString() });
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const { buffer: end } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
    // A line that was cut off before must not take this one with it.
    await file.appendFile(size > 0 && end[0] !== 0x0a ? `\n${line}\n` : `${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return token;
}

/** The tokens of a file, read again when it changes. */
export class Tokens {
  #path: string;
  #byDigest: ReadonlyMap<string, Token> = new Map();
  /** The file as it was taken, and as it was seen last. */
  #taken = '';
  #seen = '';

  constructor(path: string) {
    this.#path = path;
  }

  find(token: string): Token | undefined {
    return token.length === LENGTH ? this.#byDigest.get(digestOf(token)) : undefined;
  }

  /**
   * Reads the file again where it has changed, and no longer changes.
   * @throws {TokenFileError} where it cannot be read: the tokens stay as they were
   */
  async refresh(isFirst = false): Promise<void> {
    const { ino, size, mtimeMs } = await stat(this.#path).catch(unreadable);
    const state = `${ino} ${size} ${mtimeMs}`;
    const isSettled = isFirst || state === this.#seen;
    this.#seen = state;
    if (!isSettled || state === this.#taken) return;
    this.#taken = state;
    this.#byDigest = tokensIn(await readFile(this.#path, 'utf8').catch(unreadable));
  }
}

function unreadable({ message }: Error): never {
  const remedy = 'make it with "sightline collect token create"';
  throw new TokenFileError(`The file of tokens cannot be read: ${remedy} (${message})`);
}

function tokensIn(text: string): Map<string, Token> {
  const tokens = new Map<string, Token>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = entry.safeParse(parsed(line));
    if (!read.success) throw new TokenFileError(`Line ${index + 1} of the tokens: ${problemOf(read.error)}`);
    tokens.set(read.data.sha256, read.data);
  }
  return tokens;
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  const [field = 'it'] = issue!.path;
  return `${String(field)} ${field === 'it' ? 'is no whole JSON object' : issue!.message}`;
}
