import { exec } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CommandFailed } from '@sightline/tools';

/** The source of the password (a file) or of the token (a command). */
export interface CredentialSource {
  passwordFile?: string | undefined;
  /** A shell command that prints an OAuth 2.0 token. */
  tokenCommand?: string | undefined;
}

/** Either a password or a token. */
export interface Credentials {
  pass?: string;
  accessToken?: string;
}

/** Permission bits of group and others. */
const OTHERS = 0o077;

/** Folders in which container runtimes and systemd place secrets, with an owner and mode of their choice. */
const HANDED_OVER = /^\/run\/(?:secrets|credentials)\//;
const TOKEN_TIME = 30_000;
const LONGEST = 64 * 1024;

/**
 * Reads the credentials. Called for each connection, because a token can expire after an hour.
 * @throws {CommandFailed}
 */
export async function readCredentials({
  passwordFile,
  tokenCommand,
}: CredentialSource): Promise<Credentials> {
  if (tokenCommand !== undefined) return { accessToken: await runTokenCommand(tokenCommand) };
  return { pass: await readPassword(passwordFile!) };
}

async function readPassword(path: string): Promise<string> {
  const fail = (problem: string) => new CommandFailed(`--password-file ${path} ${problem}`);
  try {
    const { mode, size } = await stat(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0 && !HANDED_OVER.test(path))
      throw fail(`can be read by other users of this machine: "chmod 600 ${path}" restricts it to its owner`);
    if (size > LONGEST) throw fail('is too long for a password');
    const text = (await readFile(path, 'utf8')).replace(/[\r\n]+$/, '');
    if (text === '') throw fail('is empty: write the password into it');
    return text;
  } catch (error) {
    throw error instanceof CommandFailed ? error : fail(`cannot be read: ${(error as Error).message}`);
  }
}

/** Runs the command that prints the token. Its standard error is discarded because it can contain the token. */
async function runTokenCommand(command: string): Promise<string> {
  const { stdout } = await promisify(exec)(command, { timeout: TOKEN_TIME, maxBuffer: LONGEST }).catch(
    error => {
      const how = error.killed
        ? `took over ${TOKEN_TIME / 1000} s`
        : `ended with ${error.code ?? 'an error'}`;
      throw new CommandFailed(`--token-command ${how}: run it by itself to see why`);
    },
  );
  const token = stdout.trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CommandFailed('--token-command must print a token, and nothing else, on one line');
  return token;
}
