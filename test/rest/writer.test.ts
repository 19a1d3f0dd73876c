import type { Json } from '@sightline/json';
import { type GraphQLObjectType, isObjectType, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import { collectOperations } from '../../src/rest/operations.ts';
import { compileWriter } from '../../src/rest/route.ts';

/** A body is what the types say, whatever a resolver answers with. */
const operations = await collectOperations();
const context = {} as Context;

function write(field: string, value: unknown): string {
  const operation = operations.find(operation => operation.field === field)!;
  const body = compileWriter(operation).write(value, context) as Json;
  if (typeof body !== 'string') throw new Error('the value holds no rows');
  return body;
}

const typeOf = (name: string) => restSchema.getType(name) as GraphQLObjectType;

const watch = {
  site: 'a.example',
  emailAlertsEnabled: true,
  webhookEnabled: false,
  webhookTarget: null,
  alertThreshold: 3,
};
const body = (shown: object) => JSON.stringify({ watches: [shown] });

describe('what a resolver answers with', () => {
  it('is not shown beyond its type', () => {
    const row = { ...watch, account_id: 'ada', product: 'script', siteKey: 'a.example' };
    expect(write('watches', { watches: [row], secret: 1 })).toBe(body(watch));
  });

  it('is shown in the order of its type', () => {
    const turned = Object.fromEntries(Object.entries(watch).reverse());
    expect(write('watches', { watches: [turned] })).toBe(body(watch));
  });

  it('is shown in the form of its type', () => {
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
    ['null where there has to be a value', { ...watch, site: null }],
    ['nothing where there has to be a value', { ...watch, alertThreshold: undefined }],
    ['a value of another type', { ...watch, emailAlertsEnabled: 'yes' }],
    ['an object where there has to be a text', { ...watch, site: { name: 'a' } }],
  ])('fails where it is %s', (_, wrong) => {
    expect(() => write('watches', { watches: [wrong] })).toThrow();
  });

  it.each([null, undefined, { watches: null }, { watches: 'abc' }, { watches: {} }, { watches: [null] }])(
    'fails where it is %j',
    value => {
      expect(() => write('watches', value)).toThrow();
    },
  );

  it('is waited for where it comes later', async () => {
    const { members } = typeOf('Team').getFields();
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

describe('a type', () => {
  it('that loses a field takes it from the body, and from the document at the start', () => {
    const operation = operations.find(({ field }) => field === 'watches')!;
    const fields = typeOf('Watch').getFields();
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
      // In their order, which is that of the bodies: other tests have the same schema.
      for (const name of Object.keys(all)) delete fields[name];
      Object.assign(fields, all);
    }
  });

  it('has a writer for each route, whose fields all are in its document', () => {
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations) expect(() => compileWriter(operation)).not.toThrow();
    expect(Object.values(restSchema.getTypeMap()).filter(isObjectType).length).toBeGreaterThan(30);
  });
});
