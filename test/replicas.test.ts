import { afterEach, beforeEach, expect, it } from 'vitest';
import { ReplicaSet } from '../sql/servers/replicas.ts';
import type { ServerState } from '../sql/servers/servers.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { createReplicatedServers, type ReplicatedServers } from './support/replicated.ts';
import { until } from './support/until.ts';

/** So long that no pause of a busy machine makes a replica late, and so short that a test can wait for it. */
const MAX_LAG = 2000;

/** Seconds by which servers differ, so that a busy machine does not change which of them is nearest. */
const FAR = 0.15;

let servers: ReplicatedServers;
let set: ReplicaSet;
const events: string[] = [];
/** The messages with which the validation of the replicas fails. */
let invalid: string | undefined;

beforeEach(async () => {
  servers = await createReplicatedServers(['primary', 'near', 'far']);
  await servers.set('near', { isStandby: true });
  await servers.set('far', { isStandby: true, delay: FAR });
  events.length = 0;
  invalid = undefined;
});
afterEach(async () => {
  await set?.end();
  await servers[Symbol.asyncDispose]();
});

/** Watches the primary, and two replicas of which the second is nearer. */
function watch(addresses: { primary?: string; near?: string } = {}, maxLag = MAX_LAG): ReplicaSet {
  const urlOf = (name: 'primary' | 'near') => addresses[name] ?? servers.read(name).url;
  set = new ReplicaSet(
    {
      primary: { ...servers.read('primary'), url: urlOf('primary') },
      replicaUrls: [servers.read('far').url, urlOf('near')],
      maxLag,
      validate: async () => {
        if (invalid !== undefined) throw new Error(invalid);
      },
    },
    {
      away: (server, { message }) => events.push(`${server} is away: ${message}`),
      back: server => events.push(`${server} is back`),
      chosen: server => events.push(`${server} is chosen`),
      refused: (server, { message }) => events.push(`${server} is refused: ${message}`),
    },
  );
  return set;
}

const state = (name: string): ServerState => set.states.find(server => server.name === name)!;
const untilChosen = (name: string) => until(() => set.choose().name === name);

it('reads go to the nearest replica that is up to date, otherwise to the next one, otherwise to the primary', {
  tags: 'slow',
}, async () => {
  watch();
  expect(set.areSeveral).toBe(true);
  const unknown = { isUp: false, lag: Number.POSITIVE_INFINITY, roundTrip: Number.POSITIVE_INFINITY };
  expect(set.states).toEqual([
    { name: 'primary', isInUse: true, ...unknown },
    { name: 'replica-1', isInUse: false, ...unknown },
    { name: 'replica-2', isInUse: false, ...unknown },
  ]);
  await set.waitUntilChecked();
  await untilChosen('replica-2');
  // The history of a standby is that of its primary.
  expect(set.choose().timeline).toBe('00000001');
  // A check can be late on a busy machine.
  await until(() =>
    expect(set.states.map(({ isInUse, isUp }) => [isInUse, isUp])).toEqual([
      [false, true],
      [false, true],
      [true, true],
    ]),
  );
  expect(state('primary').lag).toBe(0);
  expect(state('replica-1').roundTrip).toBeGreaterThanOrEqual(1000 * FAR);
  await until(() => set.replacementFor(set.choose())?.name === 'replica-1');

  await servers.set('primary', { wal: '0/C8' });
  await servers.set('far', { wal: '0/C8' });
  await untilChosen('replica-1');
  await until(() => state('replica-2').lag > MAX_LAG);
  await until(() => set.replacementFor(set.choose())?.name === 'primary');
  await servers.set('primary', { wal: '0/D0' });
  await untilChosen('primary');
  await until(() => set.replacementFor(set.choose()) === undefined);
  await servers.set('near', { wal: '0/D0' });
  await untilChosen('replica-2');
});

it('a replica with other data, without an answer or of another version is refused once, until that changes', async () => {
  await servers.set('near', { system: 'other' });
  await servers.set('far', { failure: 'no memory' });
  watch();
  await set.waitUntilChecked();
  const refusals = () => events.filter(event => event.includes('refused'));
  await until(() => refusals().length === 2);
  expect(refusals().sort()).toEqual([
    'replica-1 is refused: no memory',
    'replica-2 is refused: it holds other data than the primary',
  ]);
  expect(set.choose().name).toBe('primary');
  // Positions of different databases are not comparable.
  expect(state('replica-2').lag).toBe(Number.POSITIVE_INFINITY);
  invalid = 'the schema is older';
  await servers.set('far', { failure: '' });
  await until(() => refusals().length === 3);
  expect(refusals()[2]).toBe('replica-1 is refused: the schema is older');
  expect(set.choose().name).toBe('primary');
  invalid = undefined;
  await servers.set('near', { system: 'one' });
  await untilChosen('replica-2');
  expect(refusals()).toHaveLength(3);
});

it('a server that follows no other one is not read, unless it was promoted after the primary', async () => {
  await servers.set('near', { isStandby: false });
  watch();
  await set.waitUntilChecked();
  await untilChosen('replica-1');
  expect(state('primary').lag).toBe(0);
  // The last position of its primary that it has replayed is unknown.
  expect(state('replica-2').lag).toBe(Number.POSITIVE_INFINITY);

  await servers.set('near', { timeline: '0000000A' });
  await untilChosen('replica-2');
  await until(() => set.choose().timeline === '0000000A');
  expect(state('replica-2').lag).toBe(0);
  expect(state('primary').lag).toBeGreaterThan(0);
  // A later timeline of the former primary counts, and an earlier one does not.
  await servers.set('near', { timeline: '00000009' });
  await until(() => set.choose().timeline === '00000009');
  expect(state('replica-2').lag).toBe(0);
  await servers.set('primary', { timeline: '0000000B' });
  await until(() => state('primary').lag === 0);
  await untilChosen('replica-1');
  await until(() => set.choose().timeline === '0000000B');
});

it('a replica that follows no other server any more is not read, although it is still up to date', async () => {
  const long = 60_000;
  watch({}, long);
  await set.waitUntilChecked();
  await untilChosen('replica-2');
  await until(() => set.replacementFor(set.choose())?.name === 'replica-1');
  expect(set.states.map(({ isInUse }) => isInUse)).toEqual([false, false, true]);
  await servers.set('near', { isStandby: false });
  await untilChosen('replica-1');
  await until(() => set.replacementFor(set.choose())?.name === 'primary');
  expect(state('replica-2').lag).toBeLessThan(long);
});

it('another database behind the address of the primary makes the replicas unusable', async () => {
  watch();
  await set.waitUntilChecked();
  await untilChosen('replica-2');
  await servers.set('primary', { system: 'restored', wal: '0/10' });
  await untilChosen('primary');
  await until(() => events.filter(event => event.includes('other data')).length === 2);
  expect(state('replica-2').lag).toBe(Number.POSITIVE_INFINITY);
  expect(set.replacementFor(set.choose())).toBeUndefined();
  for (const name of ['near', 'far']) await servers.set(name, { system: 'restored', wal: '0/10' });
  await untilChosen('replica-2');
});

it('a replica whose answer is late or fails is not read', async () => {
  watch();
  await set.waitUntilChecked();
  await untilChosen('replica-2');
  // While a check is pending for long, although the earlier ones were fast. A busy machine can see its answer first.
  await until(async () => {
    await servers.set('near', { delay: 0 });
    await untilChosen('replica-2');
    await servers.set('near', { delay: 0.45 });
    await untilChosen('replica-1');
    return state('replica-2').roundTrip < 1000 * FAR;
  });
  await servers.set('near', { delay: 0.6 });
  await until(() => !state('replica-2').isUp);
  await untilChosen('replica-1');
  await servers.set('near', { delay: 0 });
  await untilChosen('replica-2');
  await servers.set('near', { failure: 'no memory' });
  await untilChosen('replica-1');
  expect(state('replica-2').isUp).toBe(false);
  await servers.set('near', { failure: '' });
  await untilChosen('replica-2');
});

it('a replica that refuses connections is away until it accepts them, and time stops while the primary does so', {
  tags: 'slow',
}, async () => {
  const [primary, near] = await Promise.all(
    ['primary', 'near'].map(name => FaultProxy.start(servers.read(name).url)),
  );
  try {
    watch({ primary: primary!.url, near: near!.url });
    await set.waitUntilChecked();
    await untilChosen('replica-2');
    await near!.set('refuse');
    await untilChosen('replica-1');
    await until(() => events.some(event => event.startsWith('replica-2 is away: ')));
    await near!.set('none');
    await untilChosen('replica-2');
    expect(events).toContain('replica-2 is back');

    // Nothing can be written, so the replicas stay up to date.
    await primary!.set('refuse');
    await until(() => !state('primary').isUp);
    const begin = performance.now();
    await until(() => performance.now() - begin > MAX_LAG);
    await until(() => set.choose().name.startsWith('replica-'));
    expect(state('replica-2').lag).toBeLessThan(MAX_LAG);
    // A primary that does not answer can still write.
    await primary!.set('halfOpen');
    await untilChosen('primary');
    await until(() => state('replica-2').lag > MAX_LAG);
  } finally {
    await Promise.all([primary!.close(), near!.close()]);
  }
});
