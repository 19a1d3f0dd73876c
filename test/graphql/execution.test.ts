import { Rows, TextWriter } from '@sightline/pg-client';
import { buildSchema, type GraphQLObjectType, parse } from 'graphql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Execution } from '../../src/executor/run.ts';
import { collectSelections } from '../../src/executor/selections.ts';
import { toText, toTextInTurns, typeWriter } from '../../src/executor/type-writer.ts';

/** Runs operations of a small schema in the executor itself. */

const SCHEMA = `
  type Query { items: [Item!]! texts: [String!]! one: String! other: String! }
  type Item { name: String! kind: Kind number: Int flag: Boolean text: String ratio: Float id: ID any: Any }
  enum Kind { A B }
  scalar Any
`;

type Resolvers = Record<string, Record<string, (source: never) => unknown>>;

function prepare(query: string, resolvers: Resolvers, check: (length: number) => void = () => {}) {
  const schema = buildSchema(SCHEMA);
  for (const [type, fields] of Object.entries(resolvers))
    for (const [name, resolve] of Object.entries(fields))
      (schema.getType(type) as GraphQLObjectType).getFields()[name]!.resolve = resolve as never;
  const document = { schema, fragments: new Map(), variables: {} };
  const selections = collectSelections(parse(query).definitions as never, document);
  const writer = typeWriter(schema.getQueryType()!, { nodes: [], selections, document }, 'Query');
  const context = { budget: { check } };
  const run = new Execution(context);
  const complete = async () => writer.complete!({}, run, undefined);
  return { schema, writer, run, context, complete };
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** A promise that a test rejects. */
function failingLater() {
  let fail = (_: Error) => {};
  const promise = new Promise<never>((_, reject) => {
    fail = reject;
  });
  return { promise, fail: () => fail(new Error('later')) };
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turns = 0; turns < 5; turns++) await turn();
  return Promise.race([promise.then(() => false).catch(() => false), turn().then(() => true)]);
}

it('an operation that fails at once still waits for its other fields, which can fail as well', async () => {
  const later = failingLater();
  const fail = () => {
    throw new Error('at once');
  };
  const { complete } = prepare('{ one other }', { Query: { one: () => later.promise, other: fail } });
  const completed = complete();
  expect(await isPending(completed)).toBe(true);
  later.fail();
  await expect(completed).rejects.toThrow('at once');
});

it('an error that a resolver returns fails like one that it throws', async () => {
  const returned = () => new Error('returned');
  await expect(prepare('{ one }', { Query: { one: returned } }).complete()).rejects.toThrow('returned');
  const ofList = { Query: { items: () => [returned()] }, Item: { name: () => 'a' } };
  await expect(prepare('{ items { name } }', ofList).complete()).rejects.toThrow('returned');
});

it.each([
  ['kind', 'A', '"A"'],
  ['kind', 'C', undefined],
  ['number', 7, '7'],
  ['number', 7.5, undefined],
  ['number', '7', '7'],
  ['flag', false, 'false'],
  ['flag', 1, 'true'],
  ['flag', 'yes', undefined],
  ['text', 'a"', '"a\\""'],
  ['text', 7, '"7"'],
  ['text', {}, undefined],
  ['ratio', 0.5, '0.5'],
  ['ratio', Number.NaN, undefined],
  ['id', 7, '"7"'],
  ['any', '', undefined],
  ['any', null, 'null'],
])('a field %s with the value %j is written as %s', (name, value, text) => {
  const { schema, writer, context } = prepare(`{ items { ${name} } }`, {});
  Object.assign(schema.getType('Any')!, { serialize: () => null });
  const write = () => toText(writer.write, { items: [{ [name]: value }] }, context);
  if (text === undefined) expect(write).toThrow();
  else expect(write()).toBe(`{"items":[{"${name}":${text}}]}`);
});

const COUNT = 5000;

/**
 * Prepares a query for a long list. If it is `failing`, items 400 and 2500 return rejected promises, item 500 one that is
 * rejected later, and item 3000 throws.
 */
function prepareLongList(query: string, failing = false) {
  const later = failingLater();
  const asked: number[] = [];
  const name = ({ n }: { n: number }) => {
    asked.push(n);
    if (failing && (n === 400 || n === 2500)) return Promise.reject(new Error('rejected'));
    if (failing && n === 500) return later.promise;
    if (failing && n === 3000) throw new Error('at once');
    return n % 2 === 0 ? `item ${n}` : Promise.resolve(`item ${n}`);
  };
  const items = () => Array.from({ length: COUNT }, (_, n) => ({ n }));
  return { ...prepare(query, { Query: { items }, Item: { name } }), later, asked };
}

it('the items of a long list are resolved in several turns', async () => {
  let now = 0;
  // Every turn is over when it is measured.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100;
    return now;
  });
  onTestFinished(() => void clock.mockRestore());
  const { complete, writer, context, asked } = prepareLongList('{ items { name } }');
  const counts: number[] = [];
  let isDone = false;
  const watch = () => {
    counts.push(asked.length);
    if (!isDone) setImmediate(watch);
  };
  watch();
  const data = await complete();
  isDone = true;
  expect(asked).toHaveLength(COUNT);
  const perTurn = counts.slice(1).map((count, index) => count - counts[index]!);
  // The items of a turn share one statement, so a turn has to have many of them.
  expect(Math.min(...perTurn.filter(count => count > 0).slice(0, -1))).toBeGreaterThan(900);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2000);
  const expected = Array.from({ length: COUNT }, (_, n) => ({ name: `item ${n}` }));
  expect(JSON.parse(toText(writer.write, data, context) as string)).toEqual({ items: expected });
});

it('the items of all lists are counted', async () => {
  const { complete, run } = prepareLongList('{ a: items { name } b: items { name } }');
  await complete();
  expect(run.items).toBe(2 * COUNT);
});

it('a long list that fails in a later turn waits for its other items', async () => {
  const { complete, later } = prepareLongList('{ a: items { name } b: items { name } }', true);
  const completed = complete();
  expect(await isPending(completed)).toBe(true);
  later.fail();
  await expect(completed).rejects.toThrow('at once');
});

it('each text is checked with its whole length, and long ones before they are whole', async () => {
  const texts = () => Array.from({ length: 40 }, (_, n) => String(n % 10).repeat(20_000));
  for (const isInTurns of [false, true]) {
    const lengths: number[] = [];
    const { complete, writer, context } = prepare('{ texts }', { Query: { texts } }, length => {
      lengths.push(length);
    });
    const data = await complete();
    const json = isInTurns
      ? await toTextInTurns(writer, data, context, '{"data":', '}')
      : toText(writer.write, data, context, '{"data":', '}');
    const text = typeof json === 'string' ? json : Buffer.concat(json.pieces).toString();
    expect(JSON.parse(text)).toEqual({ data: { texts: texts() } });
    expect(lengths.at(-1)).toBe(text.length);
    expect(lengths.filter(length => length < text.length / 2).length).toBeGreaterThan(0);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  }
});

it('a text that is too long stops before it is whole', async () => {
  const texts = () => Array.from({ length: 40 }, (_, n) => String(n % 10).repeat(20_000));
  for (const limit of [300_000, 800_168]) {
    let most = 0;
    const check = (length: number) => {
      most = Math.max(most, length);
      if (length > limit) throw new Error('too long');
    };
    const { complete, writer, context } = prepare('{ texts }', { Query: { texts } }, check);
    const data = await complete();
    await expect(toTextInTurns(writer, data, context, '', ' '.repeat(100))).rejects.toThrow('too long');
    expect(() => toText(writer.write, data, context, '', ' '.repeat(100))).toThrow('too long');
    expect(most).toBeLessThan(2 * limit);
  }
});

/** Rows in wire format, which write their parts as numbers. */
function createRows(bytes: number, parts: number): Rows {
  const create = (count: number, first = 0): unknown =>
    Object.create(Rows.prototype, {
      isRaw: { value: true },
      bytes: { value: bytes },
      measured: { value: (nextTurn: () => Promise<void>) => nextTurn() },
      inParts: { value: () => Array.from({ length: count }, (_, part) => create(1, part)) },
      write: {
        value: (utf8: TextWriter) =>
          utf8.write(Array.from({ length: count }, (_, part) => first + part).join()),
      },
    });
  return create(parts) as Rows;
}

/** Counts the texts whose memory is released, until the test ends. */
function countReleased(): () => number {
  let released = 0;
  const { end } = TextWriter.prototype;
  const spy = vi.spyOn(TextWriter.prototype, 'end').mockImplementation(function (this: TextWriter) {
    const text = end.call(this);
    const release = () => {
      released++;
      text.release();
    };
    return { ...text, release };
  });
  onTestFinished(() => spy.mockRestore());
  return () => released;
}

it('rows of 256 KiB are written in parts, each of which is checked in a turn of its own', async () => {
  const released = countReleased();
  for (const [bytes, turns, lengths] of [
    [256 * 1024 - 1, 0, [15, 17]],
    [256 * 1024, 4, [11, 13, 15, 17]],
  ] as const) {
    const checked: number[] = [];
    const { writer, context } = prepare('{ items { name } }', {}, length => void checked.push(length));
    let passed = 0;
    const watch = () => {
      passed++;
      timer = setImmediate(watch);
    };
    let timer = setImmediate(watch);
    const text = await toTextInTurns(writer, { items: createRows(bytes, 3) }, context);
    clearImmediate(timer);
    const { pieces, release } = text as Exclude<typeof text, string>;
    expect([Buffer.concat(pieces).toString(), checked, passed]).toEqual([
      '{"items":[0,1,2]}',
      lengths,
      turns,
    ]);
    release();
  }
  expect(released()).toBe(2);
});

it('the memory of a text that is too long is released, and no more of it is written', async () => {
  const released = countReleased();
  const tooLong = new Error('too long');
  for (const isInTurns of [false, true]) {
    let checks = 0;
    const check = () => {
      checks++;
      throw tooLong;
    };
    const { writer, context } = prepare('{ items { name } }', {}, check);
    const data = { items: createRows(256 * 1024, 3) };
    const write = async () =>
      isInTurns ? await toTextInTurns(writer, data, context) : toText(writer.write, data, context);
    await expect(write()).rejects.toBe(tooLong);
    expect([checks, released()]).toEqual([1, isInTurns ? 2 : 1]);
  }
});
