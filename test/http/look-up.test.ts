import { beforeEach, expect, it, vi } from 'vitest';
import { createAuthenticate } from '../../src/http/authenticate.ts';
import { computeDigest, createKey } from '../../src/keys/format.ts';

const NOW = new Date('2026-05-20T12:00:00Z');
const [ada, crew, orphan, token] = [
  createKey('personal'),
  createKey('team'),
  createKey('personal'),
  createKey('internal'),
];
const row = (key: string, type: string | null, more = {}) => ({
  key_id: `id of ${type}`,
  digest: computeDigest(key).toString('hex'),
  key_account_id: type && 'a-1',
  account_id: type && 'a-1',
  type,
  plan: null,
  ends_at: null,
  changing: false,
  ...more,
});

let rows: ReturnType<typeof row>[];
/** The digests of each statement, and what its result waits for. */
let statements: { digests: string[]; limit: number }[];
let answer: () => Promise<void>;

beforeEach(() => {
  rows = [row(ada, 'personal'), row(crew, 'team'), row(token, null)];
  statements = [];
  answer = async () => {};
});

const database = {
  async rows(_text: string, [digests]: [string[]], { limit }: { limit: number }) {
    statements.push({ digests, limit });
    await answer();
    return { objects: () => rows.filter(({ digest }) => digests.includes(`\\x${digest}`)) };
  },
};
const create = (keyLease = 0) =>
  createAuthenticate(database as never, { now: () => NOW }, { keyLease, lookUpTimeout: 1234 });
const bearer = (key: string) => `Bearer ${key}`;
const refusal = (hasToken: boolean) => ({
  refusal: 'unauthorized',
  headers: { 'WWW-Authenticate': `Bearer realm="v1"${hasToken ? ', error="invalid_token"' : ''}` },
});

it('one statement looks up all keys that arrive while another one runs, each once', async () => {
  const authenticate = create();
  const first = authenticate(bearer(ada));
  const others = [ada, crew, crew, token].map(key => authenticate(bearer(key)));
  const missing = authenticate(bearer(orphan));
  expect((await first).keyId).toBe('id of personal');
  expect((await Promise.all(others)).map(({ keyId, account }) => [keyId, account?.type])).toEqual([
    ['id of personal', 'personal'],
    ['id of team', 'team'],
    ['id of team', 'team'],
    ['id of null', undefined],
  ]);
  await expect(missing).rejects.toMatchObject(refusal(true));
  expect(statements.map(({ digests, limit }) => [digests.length, limit])).toEqual([
    [1, 1234],
    [4, 1234],
  ]);
});

it('one statement looks up at most 500 keys, and the next one the rest', async () => {
  const authenticate = create();
  const keys = Array.from({ length: 502 }, () => createKey('personal'));
  await Promise.allSettled(keys.map(key => authenticate(bearer(key))));
  expect(statements.map(({ digests }) => digests.length)).toEqual([1, 500, 1]);
});

it('a failed statement fails every request that waits for it, and none before or after', async () => {
  const authenticate = create();
  const before = authenticate(bearer(ada));
  answer = async () => {
    throw new Error('no database');
  };
  const failed = await Promise.allSettled([before, ...[crew, ada].map(key => authenticate(bearer(key)))]);
  expect(failed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  answer = async () => {};
  expect((await authenticate(bearer(crew))).keyId).toBe('id of team');
});

it('a key is valid only for an account of its kind, and needs one value of its header', async () => {
  const authenticate = create();
  rows = [row(ada, 'team'), row(crew, null), row(token, 'personal')];
  for (const key of [ada, crew, token])
    await expect(authenticate(bearer(key))).rejects.toMatchObject(refusal(true));
  const before = statements.length;
  for (const header of [undefined, '', 'Bearer', 'Bearer ', `Basic ${ada}`, ada, ['Basic a', 'Token b'], []])
    await expect(authenticate(header)).rejects.toMatchObject(refusal(false));
  for (const header of [
    `bearer  ${ada}x`,
    'Bearer svc_d_x',
    ['Basic a', bearer(ada)],
    [bearer(ada)],
    `${bearer(ada)} b`,
  ])
    await expect(authenticate(header)).rejects.toMatchObject(refusal(!String(header).endsWith(' b')));
  expect(statements).toHaveLength(before);
});

it('a look-up is leased from its start, until the key ends, and not while a change is announced', async () => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const authenticate = create(500);
  const leased = (key: string, at = NOW) => authenticate.getLeased(bearer(key), at)?.keyId;
  const ends = NOW.getTime() + 50;
  rows = [row(ada, 'personal', { ends_at: ends }), row(crew, 'team', { changing: true })];
  answer = async () => {
    now += 100;
  };
  expect(leased(ada)).toBeUndefined();
  expect(await authenticate(bearer(ada))).toMatchObject({ validUntil: 1500, endsAt: ends });
  expect((await authenticate(bearer(crew))).validUntil).toBe(Number.NEGATIVE_INFINITY);
  expect([leased(ada), leased(crew)]).toEqual(['id of personal', undefined]);
  expect(authenticate.getLeased([bearer(ada)], NOW)).toBeUndefined();
  expect([leased(ada, new Date(ends - 1)), leased(ada, new Date(ends))]).toEqual([
    'id of personal',
    undefined,
  ]);
  await authenticate(`Bearer ${' '.repeat(15)}${ada}`);
  await authenticate(`Bearer ${' '.repeat(16)}${ada}`);
  const long = [15, 16].map(
    spaces => authenticate.getLeased(`Bearer ${' '.repeat(spaces)}${ada}`, NOW)?.keyId,
  );
  expect(long).toEqual(['id of personal', undefined]);
  now = 1499;
  expect(leased(ada)).toBe('id of personal');
  now = 1500;
  expect(leased(ada)).toBeUndefined();
  const without = create();
  expect((await without(bearer(crew))).validUntil).toBe(Number.POSITIVE_INFINITY);
  expect(without.getLeased(bearer(crew), NOW)).toBeUndefined();
  clock.mockRestore();
});
