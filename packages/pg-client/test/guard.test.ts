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
  /** Sends a statement of a key and answers it immediately, so that the key counts as quick. */
  const answerQuickly = async (key: string, connection = 0) => {
    const answer = ask('quick', key, { quick: true });
    await connections[connection]!.answer();
    expect(await answer).toBe('rows');
  };
  /** Lets time pass, although nothing happens in it. */
  const pass = async (milliseconds: number) => {
    const until = clock.now() + milliseconds;
    clock.at(until, () => {});
    await clock.run(until);
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
  return { clock, client, connections, events, ask, answerQuickly, exportOnce, pass };
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

it('the end of the client closes its idle connections', async () => {
  const { client, connections, answerQuickly } = open();
  await answerQuickly('a');
  await client.end();
  expect(connections.map(({ isLost }) => isLost)).toEqual([true]);
});

describe('a ping', () => {
  it.each([
    ['rows', undefined],
    ['PostgresError: failed', failWith('42601', 'ERROR')],
  ])('sends a statement only if the server has not answered within the time: %s', async (expected, error) => {
    const { client, ask, connections, pass } = open();
    const earlier = ask('a');
    await pass(100);
    await connections[0]!.answer(error);
    expect(await earlier).toBe(expected);
    await pass(5000);
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
    const { client, ask, connections, events } = open();
    client.distrust(new Error('silent'));
    const error = await client.ping(1000).catch((error: DatabaseUnavailable) => error);
    expect(error).toMatchObject({ name: 'DatabaseLost', cause: { message: 'silent' } });
    void ask('waits');
    expect(connections.map(({ texts }) => texts)).toEqual([['select 1']]);
    await connections[0]!.answer();
    expect(events).toEqual(['away: silent', 'back']);
    expect(connections[0]!.texts).toEqual(['select 1', 'waits']);
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

describe('a statement that is late', () => {
  /** The first connection has answered a statement, and the one on the second is late after a second. */
  async function openLate() {
    const played = open({ poolSize: 3 });
    const { ask, connections, pass } = played;
    const answered = ask('a');
    const late = ask('late', '', { limit: 1000 });
    await pass(100);
    await connections[0]!.answer();
    expect(await answered).toBe('rows');
    await pass(450);
    expect(connections[0]!.texts).toEqual(['a', 'select 1']);
    return { ...played, late };
  }

  it('is lost alone if the server has answered a probe', async () => {
    const { ask, client, connections, late, pass } = await openLate();
    await pass(200);
    await connections[0]!.answer();
    await pass(500);
    expect(await late).toBe('DatabaseLost: the database did not answer in time');
    expect(connections.map(({ isLost, texts }) => [isLost, texts.length])).toEqual([
      [false, 2],
      [true, 1],
    ]);
    expect(client.counters).toMatchObject({ isAway: false, replacements: 1, failed: 1 });
    // Each time, the server is asked once.
    void ask('late again', '', { limit: 1000 });
    await pass(700);
    expect(connections.slice(2).map(({ texts }) => texts)).toEqual([['select 1']]);
  });

  it('makes the server count as away if it has not', async () => {
    const { client, events, late, pass } = await openLate();
    await pass(600);
    expect(await late).toBe('DatabaseLost: the database did not answer in time');
    expect([client.isAway, events]).toEqual([true, ['away: the database did not answer in time']]);
  });

  it('is found in time although nothing has happened before', async () => {
    const idle = open({ poolSize: 1, queueTimeout: 50 });
    const first = idle.ask('a');
    await idle.connections[0]!.answer();
    await first;
    await idle.pass(5000);
    void idle.ask('runs');
    const waiting = idle.ask('waits');
    await idle.pass(110);
    expect(idle.client.counters.waiting).toBe(0);
    expect(await waiting).toBe('DatabaseUnavailable: no connection became free in time');
  });
});

describe('lost connections', () => {
  it('count as a lost server if three follow each other without an answer', async () => {
    const { ask, client, connections, events } = open({ poolSize: 1 });
    const lose = async () => {
      const lost = ask('a');
      connections.at(-1)!.discard();
      expect(await lost).toBe('ConnectionLost: lost');
    };
    for (let n = 0; n < 2; n++) await lose();
    const answered = ask('b');
    await connections.at(-1)!.answer();
    expect(await answered).toBe('rows');
    for (let n = 0; n < 2; n++) await lose();
    expect(client.isAway).toBe(false);
    await lose();
    expect(events).toEqual(['away: lost']);
    expect(client.statements).toBe(6);
  });

  it('fail a statement behind another one only the second time', async () => {
    const { ask, connections, answerQuickly } = open();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) await answerQuickly(key);
    const answers = keys.map(key => ask(key, key, { quick: true }));
    const sent = () => connections.map(({ texts }) => texts.filter(text => text !== 'quick').join(' '));
    expect(sent()).toEqual(['a c e', 'b d']);
    connections[0]!.discard();
    await settle();
    expect(sent()).toEqual(['a c e', 'b d c', 'e']);
    connections[1]!.discard();
    await settle();
    // After three losses, the server is also asked whether it is there.
    expect(sent()).toEqual(['a c e', 'b d c', 'e d', 'select 1']);
    for (const connection of [connections[2]!, ...connections.slice(2)]) await connection.answer();
    const lost = 'ConnectionLost: lost';
    expect(await Promise.all(answers)).toEqual([lost, lost, lost, 'rows', 'rows']);
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

it.each([
  ['b', 'DatabaseUnavailable'],
  ['a', 'KeyIsSlow'],
])('a statement that was sent twice counts once for its key; then one of %s runs', async (running, name) => {
  const { ask, connections, answerQuickly, clock } = open({ poolSize: 1, queueLimit: 1 });
  await answerQuickly('a');
  await answerQuickly('a');
  const answers = ['one', 'two'].map(text => ask(text, 'a', { quick: true }));
  await clock.run(500);
  // The second statement, which waits behind an overdue one, is queued again.
  for (let n = 0; n < 3; n++) await connections[0]!.answer();
  expect(await Promise.all(answers)).toEqual(['rows', 'rows']);
  expect(connections[0]!.texts.slice(2)).toEqual(['one', 'two', 'two']);
  for (const key of [running, 'c']) void ask('runs', key);
  expect(await ask('is refused', 'a')).toBe(`${name}: too many statements are waiting`);
});

it('an export reuses the connection of an earlier one', async () => {
  const { connections, exportOnce } = open();
  await exportOnce();
  await exportOnce();
  expect(connections).toHaveLength(1);
});

describe('a quick statement', () => {
  type Statement = [text: string, key: string, quick: boolean];

  it.each<[why: string, ...others: Statement[]]>([
    ['nobody waits'],
    ['its own key waits', ['other', 'a', false]],
    ['a key waits that has a statement running', ['shares', 'b', true], ['other', 'b', false]],
  ])('shares a connection with one of another key if %s', async (_, ...others) => {
    const { ask, connections, answerQuickly } = open({ poolSize: 1 });
    for (const key of ['a', 'b']) await answerQuickly(key);
    for (const [text, key, quick] of [['first', 'b', true] as const, ...others])
      void ask(text, key, { quick });
    void ask('quick', 'a', { quick: true });
    expect(connections.map(({ texts }) => [texts.includes('other'), texts.at(-1)])).toEqual([
      [false, 'quick'],
    ]);
  });

  it.each<[why: string, ...others: Statement[]]>([
    ['a new key', ['other', 'new', true]],
    ['a statement of another key that is not quick', ['other', 'c', false]],
    ['such a statement of the service', ['other', '', false]],
  ])('does not overtake %s', async (_, ...others) => {
    const { ask, connections, answerQuickly } = open({ poolSize: 1 });
    for (const key of ['a', 'b', 'c']) await answerQuickly(key);
    for (const [text, key, quick] of [['first', 'b', true] as const, ...others])
      void ask(text, key, { quick });
    void ask('quick', 'a', { quick: true });
    expect(connections[0]!.texts.at(-1)).toBe('first');
    await connections[0]!.answer();
    expect(connections[0]!.texts.slice(-2)).toEqual(['first', 'other']);
  });

  it('of the service overtakes a new key', async () => {
    const { ask, connections, answerQuickly } = open({ poolSize: 1 });
    await answerQuickly('b');
    void ask('first', 'b', { quick: true });
    void ask('other', 'new');
    void ask('own', '', { quick: true });
    expect(connections[0]!.texts).toEqual(['quick', 'first', 'own']);
  });

  it('that has waited does not overtake another key either', async () => {
    const { ask, connections, answerQuickly, pass } = open({ poolSize: 1 });
    await answerQuickly('a');
    const used = ask('used', 'c', { quick: true });
    await pass(100);
    await connections[0]!.answer();
    expect(await used).toBe('rows');
    void ask('first', 'b');
    void ask('other', 'c');
    for (const text of ['one', 'two']) void ask(text, 'a', { quick: true });
    await connections[0]!.answer();
    expect(connections[0]!.texts.slice(-2)).toEqual(['first', 'one']);
  });

  it.each([
    [299, undefined, ['first', 'other', 'shares']],
    [300, undefined, ['first', 'other']],
    [1, failWith('42601', 'ERROR'), ['first', 'other']],
  ])('shares a connection only if its key was answered quickly: %i ms, %s', async (time, error, expected) => {
    const { ask, connections, answerQuickly, pass } = open({ poolSize: 1 });
    await answerQuickly('b');
    const first = ask('first', 'a');
    await pass(time);
    await connections[0]!.answer(error);
    await first;
    void ask('other', 'b', { quick: true });
    void ask('shares', 'a', { quick: true });
    expect(connections[0]!.texts.slice(1)).toEqual(expected);
  });

  it('does not change which statement of its key counts as quick', async () => {
    const { ask, connections, answerQuickly } = open({ poolSize: 1 });
    const same = ask('same', 'a');
    await connections[0]!.answer();
    await same;
    await answerQuickly('a');
    for (let n = 0; n < 2; n++) void ask('same', 'a');
    expect(connections[0]!.texts).toEqual(['same', 'quick', 'same', 'same']);
  });
});

describe('the order of waiting statements', () => {
  /** Answers a key's statement after this many milliseconds, which it has then used. */
  async function use({ ask, connections, pass }: ReturnType<typeof open>, key: string, milliseconds: number) {
    const answer = ask('used', key, { quick: true });
    connections[0]!.begin();
    await pass(milliseconds);
    await connections[0]!.answer();
    expect(await answer).toBe('rows');
  }

  it('is: the service, keys without a running statement, and then the key with the least recent use', async () => {
    const played = open({ poolSize: 4 });
    const { ask, connections } = played;
    for (const [key, used] of Object.entries({ runs: 0, least: 50, more: 100, most: 150 }))
      await use(played, key, used);
    for (const key of ['runs', 'least', 'more', '']) void ask(`first of ${key}`, key);
    for (const key of ['runs', 'most', 'more', 'least', '']) void ask(`second of ${key}`, key);
    const sent = () => connections.map(({ texts }) => texts.at(-1));
    const first = ['first of runs', 'first of least', 'first of more', 'first of '];
    expect(sent()).toEqual(first);
    // All keys together use all connections but one.
    await connections[3]!.answer();
    expect(sent()).toEqual([...first.slice(0, 3), 'second of ']);
    void ask('third of ', '');
    await connections[2]!.answer();
    expect(sent()).toEqual([...first.slice(0, 2), 'third of ', 'second of ']);
    await connections[3]!.answer();
    expect(sent()).toEqual([...first.slice(0, 2), 'third of ', 'second of more']);
  });

  it('is that of their use if the first one has to wait further', async () => {
    const played = open({ poolSize: 4 });
    const { ask, connections } = played;
    for (const [key, used] of Object.entries({ b: 0, least: 50, more: 100, most: 150 }))
      await use(played, key, used);
    // New keys together use half of the connections.
    for (const key of ['new 1', 'new 2', 'b', 'new 3', 'most', 'more', 'least']) void ask(key, key);
    const sent = () => connections.map(({ texts }) => texts.at(-1));
    expect(sent()).toEqual(['new 1', 'new 2', 'b']);
    for (const key of ['least', 'more', 'most']) {
      await connections[2]!.answer();
      expect(sent()).toEqual(['new 1', 'new 2', key]);
    }
  });

  it.each<[why: string, uses: [key: string, milliseconds: number][], since: number]>([
    [
      'has used less',
      [
        ['other', 100],
        ['first', 50],
      ],
      0,
    ],
    [
      'has used more, but long ago',
      [
        ['first', 150],
        ['other', 50],
      ],
      10_000,
    ],
    [
      'has used less in one statement than the other one in two',
      [
        ['other', 50],
        ['first', 60],
        ['other', 50],
      ],
      0,
    ],
  ])('is led by a key that %s', async (_, uses, since) => {
    const played = open({ poolSize: 1 });
    const { ask, connections, pass } = played;
    for (const [index, [key, milliseconds]] of uses.entries()) {
      if (index > 0) await pass(since);
      await use(played, key, milliseconds);
    }
    for (const text of ['runs', 'other', 'first']) void ask(text, text);
    await connections[0]!.answer();
    expect(connections[0]!.texts.slice(-2)).toEqual(['runs', 'first']);
  });

  it.each([
    [400, 'oldest'],
    [401, 'newest'],
  ])('of one key begins after %i ms with the %s', async (milliseconds, expected) => {
    const { ask, connections, pass } = open({ poolSize: 1, queueTimeout: 1000 });
    void ask('runs', 'a');
    for (const text of ['oldest', 'newest']) void ask(text, 'b');
    await pass(milliseconds);
    await connections[0]!.answer();
    expect(connections[0]!.texts).toEqual(['runs', expected]);
  });
});

describe('a statement that waits for another one of its request', () => {
  const caller = { key: 'a', isGone: () => false };
  const refusal = 'KeyIsSlow: no connection became free in time';

  /** Returns when the second statement was refused, to a tenth of a second. */
  async function refusedAt(settings: Partial<ReadSettings>, answeredAfter = Number.POSITIVE_INFINITY) {
    const { ask, connections, clock, pass } = open({ poolSize: 1, ...settings });
    let at: number | undefined;
    void ask('runs', '', { caller });
    connections[0]!.begin();
    const waiting = ask('waits', '', { caller }).then(answer => {
      at = clock.now();
      return answer;
    });
    if (answeredAfter < Number.POSITIVE_INFINITY) {
      // Among several keys, the one that has used less time comes first.
      void ask('runs', 'other');
      await pass(answeredAfter);
      await connections[0]!.answer();
    }
    await clock.run(10_000);
    return { at: Math.floor(at! / 100), answer: await waiting };
  }

  it('is refused before the time limit of that one, but after its own', async () => {
    expect(await refusedAt({ queueTimeout: 1000, statementTimeout: 3000 })).toEqual({
      at: 28,
      answer: refusal,
    });
    expect(await refusedAt({ queueTimeout: 1000, statementTimeout: 500 })).toMatchObject({ at: 11 });
  });

  it('waits as long as any other once that one has ended', async () => {
    const { at, answer } = await refusedAt({ queueTimeout: 250, statementTimeout: 3000 }, 250);
    expect({ at, answer }).toEqual({
      at: 5,
      answer: 'DatabaseUnavailable: no connection became free in time',
    });
  });
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
    const later = ask('later', 'q', { quick: true });
    connections[2]!.discard();
    await settle();
    await clock.run(refusedAt + 9_900);
    expect(connections).toHaveLength(3);
    expect(client.counters).toMatchObject({ waiting: 2, ended: { count: 3 } });
    await clock.run(refusedAt + 10_300);
    // The statement of the refused connection has kept its place.
    expect(connections.slice(3).map(({ texts }) => texts)).toEqual([['q'], ['later']]);
    for (const connection of connections.slice(3)) await connection.answer();
    expect(await Promise.all([quick, later])).toEqual(['rows', 'rows']);
  });

  it('a further connection is allowed again only after another wait', async () => {
    const played = await openQuick();
    const { connections, clock, ask } = played;
    const hanging = await hang(played);
    const quick = ask('q', 'q', { quick: true });
    await clock.run(600);
    await connections[2]!.answer();
    expect(await quick).toBe('rows');
    await clock.run(1000);
    expect(connections[2]!.isLost).toBe(false);
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

  it('the service keeps its reserved connection beside further ones', async () => {
    const { ask, answerQuickly, connections, pass } = open({ poolSize: 3 });
    for (const key of ['a', 'b', 'q']) await answerQuickly(key);
    for (const key of ['a', 'b']) void ask('hangs', key);
    for (const connection of connections) connection.begin();
    await settle();
    void ask('q', 'q');
    await pass(600);
    expect(connections.map(({ texts }) => texts.at(-1))).toEqual(['hangs', 'hangs', 'q']);
    void ask('own');
    expect(connections.map(({ texts }) => texts.at(-1))).toEqual(['hangs', 'hangs', 'q', 'own']);
  });

  it.each([
    ['ten further ones in a small pool', 2, 2, true],
    ['ten that are being opened', 12, 11, false],
  ])('there are at most %s', async (_, poolSize, count, areOpened) => {
    const { ask, answerQuickly, connections, pass } = open({ poolSize, queueLimit: 100 });
    const hanging = Array.from({ length: count }, (_, number) => `hangs ${number}`);
    const quick = Array.from({ length: 15 }, (_, number) => `quick ${number}`);
    for (const key of [...hanging, ...quick]) await answerQuickly(key);
    for (const key of hanging) void ask(key, key);
    for (const connection of connections) connection.begin();
    for (const key of quick) void ask(key, key);
    for (let time = 0; time < 20; time++) {
      await pass(100);
      if (areOpened) for (const connection of connections) connection.begin();
    }
    expect(connections).toHaveLength(count + 10);
  });
});
