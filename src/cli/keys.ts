import type { Statements } from '@sightline/pg-client';
import { inTime } from '@sightline/pg-client';
import { formatInstant } from '@sightline/reports';
import {
  CommandFailed,
  DURATION_FORMAT,
  parseDuration,
  print,
  printJson,
  say,
  table,
} from '@sightline/tools';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import {
  accountType,
  blockKey,
  endKey,
  findKey,
  type KeyRecord,
  listKeys,
  lockKey,
} from '../../sql/operator/key-administration.ts';
import { type IssuedKey, issueKey } from '../keys/issue.ts';
import { type CommandContext, withOperator } from './context.ts';

interface CreateOptions {
  account?: string;
  internal?: boolean;
  name?: string;
  expires?: Date;
}

/** Creates, lists, rotates and revokes keys. A new key is printed once; keys are never logged. */
export function keysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('create, list, rotate and revoke keys')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description('create a key for an account, or an internal token for /graphql and /export')
    .option('--account <id>', 'the account that the key reads')
    .addOption(
      new Option('--internal', 'create an internal token, which reads every account').conflicts('account'),
    )
    .option('--name <name>', 'the purpose of the key; required for an internal token')
    .option('--expires <time>', 'when it expires: an ISO 8601 time, or a duration such as 90d', parseExpiry)
    .addHelpText('after', '\nThe key is the last line of standard output, and is shown only once.')
    .addHelpText('after', '\nExample:\n  sightline keys create --account acme --name "CI" --expires 90d')
    .action((options: CreateOptions, command: Command) => {
      const { account, internal, name, expires } = options;
      if (!account && !internal) command.error('error: name the account with --account, or use --internal');
      if (internal && !name) command.error('error: an internal token needs a --name');
      return withOperator(context, async sql => {
        const kind = account ? await classify(sql, account) : 'internal';
        const issued = await issueKey(sql, kind, {
          accountId: account ?? null,
          name: name ?? null,
          expiresAt: expires ?? null,
        });
        const owner = account ? `of account ${account}` : `for internal use (${name})`;
        announce(
          issued,
          `Created key ${issued.id} ${owner}${expires ? `, valid until ${formatInstant(expires)}` : ''}.`,
        );
      });
    });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list all keys, or those of one account; never the keys themselves')
    .option('--account <id>', 'only the keys of this account')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  sightline keys list --account acme')
    .action(({ account, json }: { account?: string; json?: true }) =>
      withOperator(context, async sql => {
        if (account) await classify(sql, account);
        const records = await listKeys(sql, account ?? null);
        if (json) return printJson(records.map(toJson));
        const heading = ['ID', 'KIND', 'ACCOUNT', 'NAME', 'CREATED', 'EXPIRES', 'REVOKED'];
        print(table([heading, ...records.map(toRow)]));
      }),
    );
}

function rotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('create a key that replaces an old one, and revoke the old one')
    .argument('<id>', "the old key's id, as in the list")
    .addOption(
      new Option('--grace <duration>', 'keep the old key valid for this long')
        .argParser(parseGrace)
        .default(0, 'none: it is revoked at once'),
    )
    .addHelpText('after', '\nThe new key has the name and the expiry of the old one.')
    .addHelpText('after', 'It is the last line of standard output, and is shown only once.')
    .addHelpText('after', '\nExample:\n  sightline keys rotate key_4fJ2kLmN8pQrStUv --grace 1h')
    .action((id: string, { grace }: { grace: number }) =>
      withOperator(context, async sql => {
        const { issued, oldEnd } = await sql.transaction(transaction => rotate(transaction, id, grace));
        const end = grace ? `ends at ${formatInstant(oldEnd)}` : 'has ended';
        announce(issued, `Created key ${issued.id} as its replacement; the old key, ${id}, ${end}.`);
      }),
    );
}

/** The clock difference that a revocation tolerates, in milliseconds. */
const EVERYWHERE_LIMIT = 5000;

function revokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('end a key now')
    .argument('<id>', "the key's id, as in the list")
    .addHelpText(
      'after',
      '\nEvery instance rejects it within a quarter of a second (KEY_LEASE); one that reads',
    )
    .addHelpText('after', 'from replicas, after DATABASE_READ_MAX_LAG more: 2.25 s unless set otherwise.')
    .addHelpText('after', '\nExample:\n  sightline keys revoke key_4fJ2kLmN8pQrStUv')
    .action((id: string) =>
      withOperator(context, async sql => {
        const record = required(id, await findKey(sql, id));
        if (record.has_ended) return say(`Key ${id} had ended already.`);
        await blockKey(sql, id);
        say(`Revoked key ${id}.`);
        await inTime(endKey(sql, id, 0), EVERYWHERE_LIMIT).catch(({ message }: Error) =>
          say(`It is refused from now on, but not every database server could be notified: ${message}`),
        );
      }),
    );
}

interface KeyRotation {
  issued: IssuedKey;
  oldEnd: Date;
}

async function rotate(sql: Statements, id: string, grace: number): Promise<KeyRotation> {
  const old = await requireKey(sql, id);
  if (old.has_ended)
    throw new CommandFailed(`Key ${id} has ended: create a new one with "sightline keys create"`);
  if (old.revoked_at)
    throw new CommandFailed(`Key ${id} was rotated already, and ends at ${formatInstant(old.revoked_at)}`);
  const kind = old.account_id === null ? 'internal' : old.account_type;
  if (!kind) throw new CommandFailed(`The account of key ${id}, ${old.account_id}, was deleted`);
  const oldEnd = await endKey(sql, id, grace);
  const holder = { accountId: old.account_id, name: old.name, expiresAt: old.expires_at };
  return { issued: await issueKey(sql, kind, holder), oldEnd };
}

async function classify(sql: Statements, account: string): Promise<'personal' | 'team'> {
  const type = await accountType(sql, account);
  if (!type) throw new CommandFailed(`There is no account ${account}`);
  return type;
}

async function requireKey(sql: Statements, id: string): Promise<KeyRecord> {
  return required(id, await lockKey(sql, id));
}

function required(id: string, record: KeyRecord | undefined): KeyRecord {
  if (!record) throw new CommandFailed(`There is no key ${id}: "sightline keys list" shows all`);
  return record;
}

function announce({ key }: IssuedKey, sentence: string): void {
  say(`${sentence} The key is shown only once:`);
  print(key);
}

function toJson(record: KeyRecord) {
  const { id, account_id, account_type, name, created_at, expires_at, revoked_at } = record;
  return {
    id,
    kind: account_id === null ? 'internal' : account_type,
    account: account_id,
    name,
    createdAt: formatInstant(created_at),
    expiresAt: expires_at && formatInstant(expires_at),
    revokedAt: revoked_at && formatInstant(revoked_at),
  };
}

/** Returns the columns of the list in their order. */
function toRow(record: KeyRecord): string[] {
  return Object.values(toJson(record)).map(value => value ?? '-');
}

/** A date without a time is the start of that UTC day. */
const isoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform(text => new Date(text));

function parseExpiry(text: string): Date {
  const duration = parseDuration(text);
  const time = duration === undefined ? isoTime.safeParse(text).data : fromNow(duration);
  if (!time)
    throw new InvalidArgumentError(`Give an ISO 8601 time with Z or an offset, or ${DURATION_FORMAT}.`);
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return time;
}

function parseGrace(text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw new InvalidArgumentError(`Give ${DURATION_FORMAT}.`);
  return duration;
}

function fromNow(duration: number): Date {
  return new Date(Date.now() + duration);
}
