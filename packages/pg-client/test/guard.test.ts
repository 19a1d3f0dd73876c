import { setImmediate as settle } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/simulation/virtual-clock.ts';
import type { Connection } from '../src/client/connection.ts';
import { connect } from '../src/client/guard.ts';
import type { DatabaseUnavailable, Preparation, ReadSettings, StatementOptions } from '../src/database.ts';
import { ConnectionLost, ServerError } from '../src/driver/errors.ts';
import { Rows } from '../src/driver/rows.ts';

/** A connection whose statements a test answers. */
class PlayedConnection {
  readonly madeAt: number;
  usedAt = 0;
  begunAt = Number.POSITIVE_INFINITY;
  isLost = false;
  /** The texts of its statements, oldest first. */
  readonly texts: string[] = [];
  readonly preparations: Preparation[] = [];
  #clock: VirtualClock;
  #sent: { resolve(rows: Rows): void; reject(error: Error): void }[] = [];

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    this.madeAt = clock.now();
  }

  run(text: string, _: unknown, prepare: Preparation): Promise<Rows> {
    this.texts.push(text);
    this.preparations.push(prepare);
    return new Promise((resolve, reject) => this.#sent.push({ resolve, reject }));
  }

  discard(): void {
    this.isLost = true;
    for (const { reject } of this.#sent.splice(0)) reject(new ConnectionLost('lost'));
  }

  pause(): void {}

  resume(): void {}

  begin(): void {
    this.begunAt = Math.min(this.begunAt, this.#clock.now());
  }

  /** Answers the oldest statement. */
  async answer(error?: Error): Promise<void> {
    this.begin();
    const { resolve, reject } = this.#sent.shift()!;
    if (error) reject(error);
    else resolve(Rows.of([]));
    await settle();
  }
}

function open(settings: Partial<ReadSettings> = {}) {
  const clock = new VirtualClock();
  const connections: PlayedConnection[] = [];
  const events: string[] = [];
  const usual = { url: 'postgres://played', poolSize: 2, statementTimeout: 60_000, queueTimeout: 60_000 };
  const client = connect(
    { ...usual, queueLimit: 10, prepare: true, role: '', tenantColumn: 'owner', ...settings },
    { away: ({ message }) => events.push(`away: ${message}`), back: () => events.push('back') },
    {
      clock,
      remembered: 50,
      makeConnection() {
        connections.push(new PlayedConnection(clock));
        return connections.at(-1) as unknown as Connection;
      },
    },
  );
  /** Sends a statement of a key, or of the service itself. */
  const ask = (text: string, key = '', options: StatementOptions = {}) =>
    client
      .rows(text, [], { ...(key && { caller: { key, isGone: () => false } }), ...options })
      .then(() => 'rows')
      .catch(({ name, message }: Error) => `${name}: ${message}`);
  /** Sends a statement for the key and answers it at once, which makes the key quick. */
  const answerQuickly = async (key: string, connection = 0) => {
    const answer = ask('quick', key, { quick: true });
    await connections[connection]!.answer();
    expect(await answer).toBe('rows');
  };
  /** Runs an empty export on the first connection, which is then released. */
  const exportOnce = async () => {
    const snapshot = client.snapshot();
    const read = snapshot.parts('ada', 'exported', [])[Symbol.asyncIterator]().next();
    for (let n = 0; n < 5; n++) await connections[0]!.answer();
    expect((await read).done).toBe(true);
    snapshot.close();
    await connections[0]!.answer();
  };
  return { clock, client, connections, events, ask, answerQuickly, exportOnce };
}

const failWith = (code: string, severity: string) =>
  new ServerError([`V${severity}`, `C${code}`, 'Mfailed', ''].join('\0'));

describe('the end of the client', () => {
  it('fails running, waiting and later statements, and closes all connections', async () => {
    const { client, ask, connections, clock, exportOnce } = open({ poolSize: 1 });
    await exportOnce();
    const [running, waiting] = [ask('a'), ask('b')];
    await client.end();
    expect(await Promise.all([running, waiting, ask('c')])).toEqual([
      'ConnectionLost: lost',
      'DatabaseUnavailable: the service has ended',
      'DatabaseLost: the database is away',
    ]);
    expect(connections.map(({ isLost, texts }) => [isLost, texts.length])).toEqual([
      [true, 6],
      [true, 1],
    ]);
    // No check is left.
    await clock.run(120_000);
    expect(clock.now()).toBeLessThanOrEqual(300);
  });
});

describe('a ping', () => {
  it('sends a statement only if the server has not answered within the time', async () => {
    const { client, ask, connections, clock } = open();
    const failed = ask('a');
    await connections[0]!.answer(failWith('42601', 'ERROR'));
    expect(await failed).toBe('PostgresError: failed');
    // Time passes only with events.
    clock.at(5000, () => {});
    await clock.run(5000);
    await client.ping(5001);
    expect(connections[0]!.texts).toEqual(['a']);
    const ping = client.ping(5000);
    expect(connections[0]!.texts).toEqual(['a', 'select 1']);
    await connections[0]!.answer();
    await ping;
  });

  it('is a quick statement that is not prepared', async () => {
    const { client, ask, connections } = open({ poolSize: 1 });
    void ask('a', '', { quick: true });
    const ping = client.ping(1000);
    expect(connections[0]).toMatchObject({ texts: ['a', 'select 1'], preparations: [true, false] });
    for (let n = 0; n < 2; n++) await connections[0]!.answer();
    await ping;
  });

  it('fails at once while the server is away', async () => {
    const { client, connections, events } = open();
    client.distrust(new Error('silent'));
    const error = await client.ping(1000).catch((error: DatabaseUnavailable) => error);
    expect(error).toMatchObject({ name: 'DatabaseLost', cause: { message: 'silent' } });
    expect(connections.map(({ texts }) => texts)).toEqual([['select 1']]);
    await connections[0]!.answer();
    expect(events).toEqual(['away: silent', 'back']);
  });
});

describe('a server that another one can replace', () => {
  it('fails its running and waiting statements as soon as it is away, and loses its idle connections', async () => {
    const { client, ask, connections, clock, events } = open({ isReplaceable: true, poolSize: 3 });
    const first = [ask('a'), ask('b'), ask('c')];
    for (const connection of connections) await connection.answer();
    await Promise.all(first);
    const running = ask('d');
    client.distrust(new Error('silent'));
    expect(await running).toBe('DatabaseLost: the database is away');
    // The second connection probes the server.
    expect(connections.map(({ isLost, texts }) => [isLost, texts.at(-1)])).toEqual([
      [true, 'a'],
      [false, 'select 1'],
      [true, 'd'],
    ]);
    expect(events).toEqual(['away: silent']);
    const waiting = open({ isReplaceable: true, poolSize: 1 });
    const answers = [waiting.ask('a'), waiting.ask('b')];
    waiting.client.distrust(new Error('silent'));
    expect(await Promise.all(answers)).toEqual(Array(2).fill('DatabaseLost: the database is away'));
    expect(clock.now()).toBe(0);
  });
});

describe('a connection', () => {
  it('is closed after an error that ends its session, and kept after any other', async () => {
    const { ask, connections } = open({ poolSize: 1 });
    for (const [code, severity] of [
      ['42601', 'ERROR'],
      ['57P05', 'FATAL'],
    ] as const) {
      const answer = ask(code);
      await connections[0]!.answer(failWith(code, severity));
      expect(await answer).toBe('PostgresError: failed');
      expect(connections[0]!.isLost).toBe(severity === 'FATAL');
    }
    const next = ask('next');
    await connections[1]!.answer();
    expect(await next).toBe('rows');
  });

  it('that an export has released is closed after five idle minutes, or if the server is silent', async () => {
    const idle = open();
    await idle.exportOnce();
    const answer = idle.ask('a');
    await idle.connections[1]!.answer();
    await answer;
    await idle.clock.run(299_000);
    expect(idle.connections.map(({ isLost }) => isLost)).toEqual([false, false]);
    await idle.clock.run(330_000);
    expect(idle.connections.map(({ isLost }) => isLost)).toEqual([true, true]);
    const silent = open();
    await silent.exportOnce();
    const late = silent.ask('late', '', { limit: 1000 });
    await silent.clock.run(1500);
    expect(await late).toBe('DatabaseLost: the database did not answer in time');
    expect([silent.connections[0]!.isLost, silent.client.isAway]).toEqual([true, true]);
  });
});

it.each([
  [true, [true, true, false, 'planned']],
  [false, [false, false, false, false]],
])(
  'statements are prepared unless they say otherwise, if the server allows it: %s',
  async (prepare, expected) => {
    const { ask, connections } = open({ poolSize: 1, prepare });
    for (const options of [{}, { prepare: true }, { prepare: false }, { prepare: 'planned' as const }]) {
      const answer = ask('a', '', options);
      await connections[0]!.answer();
      await answer;
    }
    expect(connections[0]!.preparations).toEqual(expected);
  },
);

describe('a waiting statement', () => {
  it('is not sent if its client has disconnected when a connection becomes free', async () => {
    const { ask, connections } = open({ poolSize: 1 });
    const first = ask('a');
    let isGone = false;
    const caller = { key: 'gone', isGone: () => isGone };
    const [gone, other] = [ask('b', '', { caller }), ask('c', 'other')];
    isGone = true;
    await connections[0]!.answer();
    await connections[0]!.answer();
    expect(await Promise.all([first, gone, other])).toEqual([
      'rows',
      'DatabaseUnavailable: the client has disconnected',
      'rows',
    ]);
    expect(connections[0]!.texts).toEqual(['a', 'c']);
  });

  it('is refused as one of a slow key only if it waits for statements of its own key', async () => {
    const { ask, clock } = open({ poolSize: 1, queueTimeout: 1000 });
    void ask('runs', 'a');
    const refused = Promise.all([ask('b', 'a'), ask('c', 'other'), ask('d')]);
    await clock.run(1200);
    const late = 'no connection became free in time';
    expect(await refused).toEqual([
      `KeyIsSlow: ${late}`,
      `DatabaseUnavailable: ${late}`,
      `DatabaseUnavailable: ${late}`,
    ]);
    const own = open({ poolSize: 1, queueTimeout: 1000 });
    void own.ask('runs');
    const behind = own.ask('b');
    await own.clock.run(1200);
    expect(await behind).toBe(`DatabaseUnavailable: ${late}`);
  });
});

it('a statement that was sent twice counts once for its key', async () => {
  const { ask, connections, answerQuickly, clock } = open({ poolSize: 1, queueLimit: 1 });
  await answerQuickly('a');
  await answerQuickly('a');
  const answers = ['one', 'two'].map(text => ask(text, 'a', { quick: true }));
  await clock.run(500);
  // The second statement, which waits behind an overdue one, is queued again.
  for (let n = 0; n < 3; n++) await connections[0]!.answer();
  expect(await Promise.all(answers)).toEqual(['rows', 'rows']);
  expect(connections[0]!.texts.slice(2)).toEqual(['one', 'two', 'two']);
  for (const key of ['b', 'c']) void ask('runs', key);
  expect(await ask('is refused', 'a')).toBe('DatabaseUnavailable: too many statements are waiting');
});

it('in a pool without a reserved connection, quick statements of the service and of keys share one', async () => {
  const { ask, connections, answerQuickly } = open({ poolSize: 1 });
  await answerQuickly('a');
  await answerQuickly('a');
  const answers = [ask('key', 'a', { quick: true }), ask('own', '', { quick: true })];
  expect(connections[0]!.texts.slice(2)).toEqual(['key', 'own']);
  for (const _ of answers) await connections[0]!.answer();
  expect(await Promise.all(answers)).toEqual(['rows', 'rows']);
});

describe('while statements hang', () => {
  /** Two keys hang on both connections, and a third one is quick. */
  async function hang(played: ReturnType<typeof open>) {
    const hanging = [played.ask('hangs', 'a'), played.ask('hangs', 'b')];
    for (const connection of played.connections.slice(0, 2)) connection.begin();
    await settle();
    return hanging;
  }

  async function openQuick() {
    const played = open();
    for (const key of ['a', 'b', 'q']) await played.answerQuickly(key);
    return played;
  }

  it('a quick key gets a further connection, and after a refused one none for ten seconds', async () => {
    const played = await openQuick();
    const { connections, clock, ask, client } = played;
    await hang(played);
    const quick = ask('q', 'q', { quick: true });
    await clock.run(250);
    expect(connections).toHaveLength(2);
    await clock.run(600);
    expect(connections.map(({ texts }) => texts.at(-1))).toEqual(['hangs', 'hangs', 'q']);
    const refusedAt = clock.now();
    connections[2]!.discard();
    await settle();
    await clock.run(refusedAt + 9_900);
    expect([connections.length, client.counters.waiting]).toEqual([3, 1]);
    await clock.run(refusedAt + 10_300);
    expect(connections).toHaveLength(4);
    await connections[3]!.answer();
    expect(await quick).toBe('rows');
  });

  it('a further connection is allowed again only after another wait', async () => {
    const played = await openQuick();
    const { connections, clock, ask } = played;
    const hanging = await hang(played);
    const quick = ask('q', 'q', { quick: true });
    await clock.run(600);
    await connections[2]!.answer();
    expect(await quick).toBe('rows');
    for (const connection of connections.slice(0, 2)) await connection.answer();
    await Promise.all(hanging);
    await clock.run(3000);
    expect(connections.map(({ isLost }) => isLost).filter(Boolean)).toHaveLength(1);
    for (const key of ['a', 'b', 'q']) {
      const answer = ask(key, key, { quick: true });
      await connections.find(({ texts }) => texts.at(-1) === key)!.answer();
      await answer;
    }
    void ask('hangs', 'a');
    void ask('hangs', 'b');
    await clock.run(3500);
    void ask('q', 'q', { quick: true });
    expect(connections).toHaveLength(3);
    await clock.run(4000);
    expect(connections).toHaveLength(4);
  });
});
