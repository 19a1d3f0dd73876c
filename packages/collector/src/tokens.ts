import { hash, randomInt } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { tryParseJson } from './json.ts';

/** A token, which is part of a reporting address: `/r/TOKEN`. */
export interface Token {
  account: string;
  /** The hosts whose reports are accepted; all if empty. */
  hosts: readonly string[];
  /** The percentage of reports to store, by type; all by default. */
  sampling: Readonly<Record<string, number>>;
}

/** The token file is invalid. The message names the line or the field. */
export class TokenFileError extends Error {
  override name = 'TokenFileError';
}

const host = z
  .string()
  .regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i, 'must be host names')
  .toLowerCase();
const grant = z.strictObject({
  account: z.string().regex(/^(?!\.)[^/\\\0]{1,255}$/, 'must be usable as the name of a folder'),
  hosts: z.array(host).max(100).default([]),
  sampling: z.record(z.string(), z.int('must be percents').min(1).max(100)).default({}),
});
const entry = grant.extend({ sha256: z.string(), created: z.iso.datetime() });

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The length of a token with 128 random bits, in characters. */
const LENGTH = 22;

function newToken(): string {
  return Array.from({ length: LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

/** Returns the digest under which a token is stored. A lookup by digest does not reveal tokens through its timing. */
function computeDigest(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * Creates a token and appends its digest to the file in a single write, so that readers never see part of the line.
 * @returns the token, which is not stored
 * @throws {TokenFileError} for an invalid account or host
 */
export async function createToken(path: string, wanted: Partial<Token>, now = new Date()): Promise<string> {
  const read = grant.safeParse(wanted);
  if (!read.success) throw new TokenFileError(findProblem(read.error));
  const token = newToken();
  const line = JSON.stringify({ sha256: computeDigest(token), ...read.data, created: now.toISOString() });
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const { buffer: end } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
    // A truncated last line must not be merged with the new one.
    await file.appendFile(size > 0 && end[0] !== 0x0a ? `\n${line}\n` : `${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return token;
}

/** The tokens in a file, which is read again after a change. */
export class Tokens {
  #path: string;
  #byDigest: ReadonlyMap<string, Token> = new Map();
  #accounts = 0;
  /** The state of the file when it was last read, and when it was last checked. */
  #taken = '';
  #seen = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** The number of accounts that have a token. */
  get accounts(): number {
    return this.#accounts;
  }

  find(token: string): Token | undefined {
    return token.length === LENGTH ? this.#byDigest.get(computeDigest(token)) : undefined;
  }

  /**
   * Reads the file if it has changed and is no longer being written.
   * @throws {TokenFileError} if it cannot be read; the tokens are unchanged
   */
  async refresh(isFirst = false): Promise<void> {
    const { ino, size, mtimeMs } = await stat(this.#path).catch(throwUnreadable);
    const state = `${ino} ${size} ${mtimeMs}`;
    const isSettled = isFirst || state === this.#seen;
    this.#seen = state;
    if (!isSettled || state === this.#taken) return;
    this.#taken = state;
    this.#byDigest = tokensIn(await readFile(this.#path, 'utf8').catch(throwUnreadable));
    this.#accounts = new Set([...this.#byDigest.values()].map(({ account }) => account)).size;
  }
}

function throwUnreadable({ message }: Error): never {
  const remedy = 'create it with "sightline collect token create"';
  throw new TokenFileError(`The file of tokens cannot be read: ${remedy} (${message})`);
}

function tokensIn(text: string): Map<string, Token> {
  const tokens = new Map<string, Token>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = entry.safeParse(tryParseJson(line));
    if (!read.success)
      throw new TokenFileError(`Line ${index + 1} of the tokens: ${findProblem(read.error)}`);
    tokens.set(read.data.sha256, read.data);
  }
  return tokens;
}

function findProblem({ issues: [issue] }: z.ZodError): string {
  const [field] = issue!.path;
  if (field !== undefined) return `${String(field)} ${issue!.message}`;
  if (issue!.code !== 'unrecognized_keys') return 'it is not a complete JSON object';
  return `it has the unknown field ${JSON.stringify(issue!.keys[0])}`;
}
