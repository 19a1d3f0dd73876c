import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../sql/client.ts';
import { callersByDigest } from '../../sql/keys.ts';
import { endKey } from '../../sql/operator/key-administration.ts';
import { parseKey } from '../../src/keys/format.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Outcome, sightlineHere } from '../support/sightline.ts';

interface StoredKey {
  id: string;
  account_id: string | null;
  name: string | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

let database: TestDatabase;
let sql: Operator;

beforeAll(async () => {
  database = await createDatabase();
  sql = connectOperator(database.url);
  await sql`insert into account (id, type, email, created_at) values ('ada', 'personal', 'ada@example.org', now())`;
  await sql`
    insert into account (id, type, team_name, quota_limit, require_2fa, members, created_at)
    values ('acme', 'team', 'Acme', 1000, false, '[]', now())`;
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

function keys(...args: string[]): Promise<Outcome> {
  return sightlineHere(['keys', ...args], { DATABASE_URL: database.url });
}

function lastLine({ stdout }: Outcome): string {
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

/** Returns the stored row of the key that a command printed. */
async function stored(outcome: Outcome): Promise<StoredKey> {
  expect(outcome.code).toBe(0);
  const key = parseKey(lastLine(outcome));
  const [row] = await sql<StoredKey[]>`
    select id, account_id, name, expires_at, revoked_at from api_key where digest = ${key!.digest}`;
  return row!;
}

async function storedById(id: string): Promise<StoredKey> {
  const [row] = await sql<StoredKey[]>`
    select id, account_id, name, expires_at, revoked_at from api_key where id = ${id}`;
  return row!;
}

const MINUTE = 60_000;

const LIMITS = {
  poolSize: 1,
  statementTimeout: 60_000,
  queueTimeout: 60_000,
  queueLimit: 10,
  prepare: false,
};

describe('keys create', () => {
  it.each([
    ['a team', 'acme', /^svc_t_/],
    ['a person', 'ada', /^svc_d_/],
  ])('prints only a key for the account of %s and stores only its digest', async (_, account, form) => {
    const outcome = await keys('create', '--account', account, '--name', 'CI');
    expect(outcome.stdout).toMatch(form);
    expect(outcome.stdout.trimEnd()).toBe(lastLine(outcome));
    const row = await stored(outcome);
    expect(row).toMatchObject({ account_id: account, name: 'CI', expires_at: null });
    expect(row.id).toMatch(/^key_[0-9A-Za-z]{16}$/);
    expect(outcome.stderr).toBe(`Created key ${row.id} of account ${account}. The key is shown only once:\n`);
    const [{ text }] = await sql<[{ text: string }]>`select json_agg(k)::text as text from api_key k`;
    expect(text).not.toContain(lastLine(outcome));
  });

  it('creates an internal token without an account', async () => {
    const outcome = await keys('create', '--internal', '--name', 'support desk');
    expect(lastLine(outcome)).toMatch(/^svc_i_/);
    const row = await stored(outcome);
    expect(row).toMatchObject({ account_id: null, name: 'support desk' });
    expect(outcome.stderr).toBe(
      `Created key ${row.id} for internal use (support desk). The key is shown only once:\n`,
    );
  });

  it('accepts an expiry as a time or a duration', async () => {
    const atTime = await keys('create', '--account', 'acme', '--expires', '2999-12-31T23:00:00-01:00');
    const afterDuration = await keys('create', '--account', 'acme', '--expires', '90d');
    expect((await stored(atTime)).expires_at?.toISOString()).toBe('3000-01-01T00:00:00.000Z');
    expect(atTime.stderr).toContain(' of account acme, valid until 3000-01-01T00:00:00+00:00. The key');
    const onDay = await keys('create', '--account', 'acme', '--expires', '2999-01-02');
    expect((await stored(onDay)).expires_at?.toISOString()).toBe('2999-01-02T00:00:00.000Z');
    const days = ((await stored(afterDuration)).expires_at!.getTime() - Date.now()) / (24 * 60 * MINUTE);
    expect(days).toBeCloseTo(90, 2);
  });

  it('rejects an account that does not exist', async () => {
    const outcome = await keys('create', '--account', 'nobody');
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'There is no account nobody\n' });
  });

  it.each([
    ['no account', [], 'error: name the account with --account, or use --internal'],
    [
      'two owners',
      ['--internal', '--account', 'acme'],
      "error: option '--internal' cannot be used with option '--account <id>'",
    ],
    ['a token without a name', ['--internal'], 'error: an internal token needs a --name'],
    [
      'an expiry on an invalid date',
      ['--account', 'acme', '--expires', '2026-02-30'],
      "error: option '--expires <time>' argument '2026-02-30' is invalid. Give an ISO 8601 time with Z or an offset, or ",
    ],
    [
      'an expiry without an offset',
      ['--account', 'acme', '--expires', '2999-01-01T00:00:00'],
      'Give an ISO 8601 time with Z or an offset, or ',
    ],
    [
      'an expiry in the past',
      ['--account', 'acme', '--expires', '2020-01-01'],
      "error: option '--expires <time>' argument '2020-01-01' is invalid. It must be in the future.",
    ],
    ['an expiry now', ['--account', 'acme', '--expires', '0s'], 'It must be in the future.'],
  ])('exits with a usage error for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await keys('create', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(sentence);
  });
});

describe('keys list', () => {
  it('shows every key with its kind and account, and without its digest', async () => {
    const made = await stored(await keys('create', '--account', 'ada', '--name', 'laptop'));
    const { code, stdout } = await keys('list', '--account', 'ada');
    expect(code).toBe(0);
    const [heading, ...lines] = stdout.trimEnd().split('\n');
    expect(heading?.split(/ +/)).toEqual(['ID', 'KIND', 'ACCOUNT', 'NAME', 'CREATED', 'EXPIRES', 'REVOKED']);
    expect(lines.find(line => line.startsWith(made.id))).toMatch(
      /^\S+ +personal +ada +laptop +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00 +- +-$/,
    );
    expect(lines.every(line => line.includes(' ada '))).toBe(true);
  });

  it('shows the keys of every account and internal tokens without an account, and the end of each', async () => {
    const token = await stored(
      await keys('create', '--internal', '--name', 'desk', '--expires', '2999-01-01'),
    );
    const ended = await stored(await keys('create', '--account', 'acme'));
    await sql`update api_key set revoked_at = '2026-01-02T03:04:05Z' where id = ${ended.id}`;
    const { stdout } = await keys('list');
    const rowOf = ({ id }: StoredKey) => stdout.split('\n').find(line => line.startsWith(id));
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00';
    expect(rowOf(token)).toMatch(
      new RegExp(`^\\S+ +internal +- +desk +${time} +2999-01-01T00:00:00\\+00:00 +-$`),
    );
    expect(rowOf(ended)).toMatch(
      new RegExp(`^\\S+ +team +acme +- +${time} +- +2026-01-02T03:04:05\\+00:00$`),
    );
  });

  it('rejects an account that does not exist', async () => {
    const outcome = await keys('list', '--account', 'nobody');
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'There is no account nobody\n' });
  });
});

describe('keys list --json', () => {
  it('lists the oldest key first', async () => {
    const made: string[] = [];
    for (let count = 0; count < 6; count++)
      made.push((await stored(await keys('create', '--account', 'acme'))).id);
    const listed = JSON.parse((await keys('list', '--json', '--account', 'acme')).stdout);
    expect(listed.map(({ id }: { id: string }) => id).slice(-made.length)).toEqual(made);
  });

  it('prints the same data as JSON', async () => {
    const made = await stored(
      await keys('create', '--account', 'ada', '--name', 'a "b"', '--expires', '2999-01-01'),
    );
    const { code, stdout } = await keys('list', '--json', '--account', 'ada');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      id: made.id,
      kind: 'personal',
      account: 'ada',
      name: 'a "b"',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      expiresAt: '2999-01-01T00:00:00+00:00',
      revokedAt: null,
    });
  });
});

describe('keys rotate', () => {
  it('creates a key with the same account, name and expiry, and revokes the old one immediately', async () => {
    const old = await stored(await keys('create', '--account', 'acme', '--name', 'CI', '--expires', '30d'));
    const outcome = await keys('rotate', old.id);
    const { id, ...successor } = await stored(outcome);
    expect(outcome.stderr).toBe(
      `Created key ${id} as its replacement; the old key, ${old.id}, has ended. The key is shown only once:\n`,
    );
    expect(successor).toEqual({
      account_id: 'acme',
      name: 'CI',
      expires_at: old.expires_at,
      revoked_at: null,
    });
    expect((await storedById(old.id)).revoked_at!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('keeps the old key valid during the grace period, and does not rotate it twice', async () => {
    const old = await stored(await keys('create', '--internal', '--name', 'desk'));
    const outcome = await keys('rotate', old.id, '--grace', '1h');
    expect(lastLine(outcome)).toMatch(/^svc_i_/);
    const end = (await storedById(old.id)).revoked_at!;
    const shown = `ends at ${end.toISOString().slice(0, 19)}+00:00`;
    expect(outcome.stderr).toContain(`the old key, ${old.id}, ${shown}. The key`);
    const left = end.getTime() - Date.now();
    expect(left / MINUTE).toBeCloseTo(60, 0);
    expect(await keys('rotate', old.id)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Key ${old.id} was rotated already, and ${shown}\n`,
    });
  });

  it('does not extend the life of a key whose account was deleted', async () => {
    await sql`insert into account (id, type, email, created_at) values ('left', 'personal', 'l@left.example', now())`;
    const old = await stored(await keys('create', '--account', 'left'));
    await sql`delete from account where id = 'left'`;
    expect(await keys('rotate', old.id)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The account of key ${old.id}, left, was deleted\n`,
    });
    expect(await storedById(old.id)).toEqual(old);
  });

  it('exits with a usage error for a grace period that is no duration', async () => {
    const { code, stderr } = await keys('rotate', 'key_x', '--grace', 'soon');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("error: option '--grace <duration>' argument 'soon' is invalid. Give "),
    ]);
  });

  it('rejects unknown and expired keys', async () => {
    const old = await stored(await keys('create', '--account', 'ada'));
    await sql`update api_key set expires_at = now() - interval '1 second' where id = ${old.id}`;
    expect(await keys('rotate', old.id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Key ${old.id} has ended: create a new one with "sightline keys create"\n`,
    });
    expect(await keys('rotate', 'key_unknown')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no key key_unknown: "sightline keys list" shows all\n',
    });
  });
});

describe('keys revoke', () => {
  it('revokes a key immediately, even during its grace period, and reports an earlier revocation', async () => {
    const old = await stored(await keys('create', '--account', 'ada'));
    await keys('rotate', old.id, '--grace', '1h');
    expect(await keys('revoke', old.id)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Revoked key ${old.id}.\n`,
    });
    const { revoked_at } = await storedById(old.id);
    expect(revoked_at!.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await keys('revoke', old.id)).stderr).toBe(`Key ${old.id} had ended already.\n`);
    expect((await storedById(old.id)).revoked_at).toEqual(revoked_at);
  });

  it('revokes a key while a database server is unavailable, and reports that', async () => {
    const outcome = await keys('create', '--account', 'ada');
    const { id } = await stored(outcome);
    const client = connect({ ...LIMITS, url: database.url, role: '' });
    const digest = parseKey(lastLine(outcome))!.digest.toString('hex');
    const endAsOf = async (now: Date) =>
      (await callersByDigest(client, [digest], now, 60_000)).get(digest)?.endsAt;
    const found = async () => (await endAsOf(new Date())) !== undefined;
    expect(await found()).toBe(true);
    const end = Date.parse('2999-01-01T00:00:00Z');
    await sql`update api_key set expires_at = '2999-01-02Z', revoked_at = '2999-01-01Z' where id = ${id}`;
    expect(await endAsOf(new Date(end - 1))).toBe(end);
    expect(await endAsOf(new Date(end))).toBeUndefined();
    await sql`update api_key set expires_at = null, revoked_at = null where id = ${id}`;
    // The error of Citus for tables that exist on all servers.
    await sql.query(`
      create function away() returns trigger language plpgsql as
        $$ begin raise exception 'no connection to worker-2' using errcode = '08006'; end $$;
      create trigger away before update on api_key execute function away()`);
    const { code, stderr } = await keys('revoke', id);
    await sql.query('drop function away cascade');
    expect(code).toBe(0);
    expect(stderr).toContain(`Revoked key ${id}.`);
    expect(stderr).toContain('no connection to worker-2');
    expect(await found()).toBe(false);
    await client.end();
    expect((await keys('revoke', id)).stderr).toContain('had ended already');
    expect((await keys('rotate', id)).stderr).toContain('has ended');
    expect(JSON.parse((await keys('list', '--json')).stdout)).toContainEqual(
      expect.objectContaining({ id, revokedAt: expect.any(String) }),
    );
  });

  it('waits at most five seconds for a database server that does not answer', async () => {
    const { id } = await stored(await keys('create', '--account', 'ada'));
    const holder = connectOperator(database.url);
    await holder.begin();
    await holder`select from api_key where id = ${id} for no key update`;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const revoked = keys('revoke', id);
    const countWaiting = () => sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await countWaiting()).length === 0);
    await vi.advanceTimersByTimeAsync(4999);
    expect(await countWaiting()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await revoked).toEqual({
      code: 0,
      stdout: '',
      stderr: `Revoked key ${id}.\nIt is refused from now on, but not every database server could be notified: no answer in time\n`,
    });
    vi.useRealTimers();
    await holder.end();
    expect((await keys('revoke', id)).stderr).toBe(`Key ${id} had ended already.\n`);
  });

  it('keeps an earlier end', async () => {
    const { id } = await stored(await keys('create', '--account', 'ada'));
    const end = await endKey(sql, id, 60_000);
    expect(await endKey(sql, id, 120_000)).toEqual(end);
    expect(await endKey(sql, id, 30_000)).not.toEqual(end);
  });

  it('rejects an unknown key', async () => {
    expect(await keys('revoke', 'key_unknown')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no key key_unknown: "sightline keys list" shows all\n',
    });
  });
});
