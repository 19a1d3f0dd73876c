import { Rows, type TextWriter } from '@sightline/pg-client';
import { type GraphQLObjectType, isObjectType, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import type { Json } from '../../src/executor/json.ts';
import { collectOperations } from '../../src/rest/operations.ts';
import { compileWriter } from '../../src/rest/route.ts';
import { wholeList } from '../../src/rest/stream.ts';

/** The types alone determine the response body, whatever values the resolvers return. */
const operations = await collectOperations();
const context = {} as Context;

function write(field: string, value: unknown): string {
  const operation = operations.find(operation => operation.field === field)!;
  const body = compileWriter(operation).write(value, context) as Json;
  if (typeof body !== 'string') throw new Error('the value holds no rows');
  return body;
}

const toType = (name: string) => restSchema.getType(name) as GraphQLObjectType;

const watch = {
  site: 'a.example',
  emailAlertsEnabled: true,
  webhookEnabled: false,
  webhookTarget: null,
  alertThreshold: 3,
};
const body = (shown: object) => JSON.stringify({ watches: [shown] });

describe('the response writer', () => {
  it('omits properties that the type does not have', () => {
    const row = { ...watch, account_id: 'ada', product: 'script', siteKey: 'a.example' };
    expect(write('watches', { watches: [row], secret: 1 })).toBe(body(watch));
  });

  it('writes fields in the order of the type', () => {
    const turned = Object.fromEntries(Object.entries(watch).reverse());
    expect(write('watches', { watches: [turned] })).toBe(body(watch));
  });

  it('writes values in the format of the type', () => {
    const finding = {
      subject: 'https://x.example/',
      count: 1,
      firstSeen: '2026-05-01 01:02:03.987654+00',
      lastSeen: '2026-05-02T01:02:03Z',
      source: 'csp',
    };
    expect(JSON.parse(write('watchFindings', { findings: [finding] }))).toEqual({
      findings: [
        {
          uri: 'https://x.example/',
          count: 1,
          firstSeen: '2026-05-01T01:02:03+00:00',
          lastSeen: '2026-05-02T01:02:03+00:00',
          source: 'csp',
        },
      ],
    });
  });

  it.each([
    ['null for a non-null field', { ...watch, site: null }],
    ['undefined for a non-null field', { ...watch, alertThreshold: undefined }],
    ['a value of another type', { ...watch, emailAlertsEnabled: 'yes' }],
    ['an object for a string', { ...watch, site: { name: 'a' } }],
  ])('throws when a resolver returns %s', (_, wrong) => {
    expect(() => write('watches', { watches: [wrong] })).toThrow();
  });

  it.each([null, undefined, { watches: null }, { watches: 'abc' }, { watches: {} }, { watches: [null] }])(
    'throws when a resolver returns %j',
    value => {
      expect(() => write('watches', value)).toThrow();
    },
  );

  it('awaits promises of resolvers', async () => {
    const { members } = toType('Team').getFields();
    const resolve = members!.resolve!;
    const operation = operations.find(({ field }) => field === 'team')!;
    const team = { teamName: 'a', quotaLimit: 1, require2fa: true };
    try {
      members!.resolve = async () => [];
      const shown = await compileWriter(operation).write(team, context);
      expect(JSON.parse(shown as string)).toMatchObject({ teamName: 'a', members: [] });
      members!.resolve = () => Promise.reject(new Error('too late'));
      await expect(compileWriter(operation).write(team, context)).rejects.toThrow('too late');
    } finally {
      members!.resolve = resolve;
    }
  });
});

it('a field that fails has no answer, even if it could be null', async () => {
  const { webhookTarget } = toType('Watch').getFields();
  const { resolve, extensions } = webhookTarget!;
  const fail = () => Promise.reject(new Error('lost'));
  try {
    Object.assign(webhookTarget!, { resolve: fail, extensions: {} });
    const operation = operations.find(({ field }) => field === 'watches')!;
    const body = async () => compileWriter(operation).write({ watches: [watch] }, context);
    await expect(body()).rejects.toThrow('lost');
  } finally {
    Object.assign(webhookTarget!, { resolve, extensions });
  }
});

describe('writing a list with a few long texts', () => {
  it('yields to the event loop between pieces', async () => {
    const policies = Array.from({ length: 20 }, (_, n) => ({
      id: `p${n}`,
      name: 'P',
      policy: 'x'.repeat(60_000),
    }));
    const operation = operations.find(({ field }) => field === 'cspPolicies')!;
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const body = await compileWriter(operation).write({ policies }, context);
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(1);
    const { pieces } = body as Exclude<Json, string>;
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ policies });
  });
});

it('more than 500 items, 256 KiB of rows or as many characters are written in several turns', async () => {
  const KIB = 1024;
  const isInTurns = async (field: string, value: object) => {
    const operation = operations.find(operation => operation.field === field)!;
    const body = compileWriter(operation).write(value, context);
    const text = (await body) as Json;
    if (typeof text !== 'string') text.release();
    return body instanceof Promise;
  };
  const rows = (bytes: number) =>
    Object.create(Rows.prototype, {
      isRaw: { value: true },
      bytes: { value: bytes },
      measured: { value: async () => {} },
      inParts: { value: () => [] },
      write: { value: (utf8: TextWriter) => utf8.write('1') },
    });
  const policies = (characters: number) => ({
    policies: ['a', 'b'].map(id => ({ id, name: 'P', policy: 'x'.repeat(characters / 2 - 2) })),
  });
  for (const [field, short, long] of [
    ['watches', { watches: Array(500).fill(watch) }, { watches: Array(501).fill(watch) }],
    ['watches', { watches: rows(256 * KIB) }, { watches: rows(256 * KIB + 1) }],
    ['cspPolicies', policies(256 * KIB), policies(256 * KIB + 2)],
  ] as const)
    expect([field, await isInTurns(field, short), await isInTurns(field, long)]).toEqual([
      field,
      false,
      true,
    ]);
});

describe('a compiled writer', () => {
  it('omits a field that was removed from the type and the document', () => {
    const operation = operations.find(({ field }) => field === 'watches')!;
    const fields = toType('Watch').getFields();
    const all = { ...fields };
    delete fields.webhookTarget;
    try {
      expect(() => compileWriter(operation)).toThrow('Watch has no field webhookTarget');
      const document = visit(operation.document, {
        Field: ({ name }) => (name.value === 'webhookTarget' ? null : undefined),
      });
      const { webhookTarget: _, ...rest } = watch;
      const writer = compileWriter({ ...operation, document });
      expect(writer.write({ watches: [watch] }, context)).toBe(body(rest));
    } finally {
      // The order matters, because other tests share the schema.
      for (const name of Object.keys(all)) delete fields[name];
      Object.assign(fields, all);
    }
  });

  it('exists for every route, with a document whose fields all exist', () => {
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations) expect(() => compileWriter(operation)).not.toThrow();
    expect(Object.values(restSchema.getTypeMap()).filter(isObjectType).length).toBeGreaterThan(30);
  });
});

describe('a list that is streamed page by page', () => {
  const writer = {
    write: (page: object) => JSON.stringify(page),
    writeItems: (list: unknown[], before: string) => before + list.map(item => JSON.stringify(item)).join(),
  };
  async function streamPages(...pages: (readonly number[])[]) {
    const asked: unknown[] = [];
    const toPage = (index: number) => ({
      more: true,
      events: pages[index],
      nextCursor: index + 1 < pages.length ? index + 1 : null,
      truncated: true,
    });
    const next = async (cursor: unknown) => {
      asked.push(cursor);
      return toPage(Number(cursor));
    };
    const stream = { list: 'events', cursor: 'nextCursor', unless: [] };
    const chunks: string[] = [];
    for await (const chunk of wholeList(stream, next, writer as never, context, toPage(0)))
      chunks.push(chunk.toString());
    return [asked, chunks];
  }
  const START = '{"more":true,"events":[';
  const END = '],"nextCursor":null,"truncated":false}';

  it('is that of a single page, whichever pages are empty', async () => {
    expect(await streamPages([1, 2], [3], [4, 5])).toEqual([
      [1, 2],
      [`${START}1,2`, ',3', ',4,5', END],
    ]);
    expect(await streamPages([1], [], [2])).toEqual([
      [1, 2],
      [`${START}1`, ',2', END],
    ]);
    expect(await streamPages([1], [])).toEqual([[1], [`${START}1`, END]]);
    expect(await streamPages([1])).toEqual([[], [`${START}1`, END]]);
    expect(await streamPages([])).toEqual([[], [START, END]]);
  });
});
