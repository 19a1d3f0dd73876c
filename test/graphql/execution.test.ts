import { buildSchema, type GraphQLObjectType, parse } from 'graphql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Execution } from '../../src/executor/run.ts';
import { collectSelections } from '../../src/executor/selections.ts';
import { toText, toTextInTurns, typeWriter } from '../../src/executor/type-writer.ts';

/** Runs operations of a small schema in the executor itself. */

const SCHEMA = `
  type Query { items: [Item!]! texts: [String!]! one: String! other: String! }
  type Item { name: String! }
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
  return { writer, run, context, complete };
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
