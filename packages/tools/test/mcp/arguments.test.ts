import { expect, it } from 'vitest';
import * as z from 'zod';
import { toolInput } from '../../src/mcp/arguments.ts';

const input = toolInput({
  site: z.string(),
  limit: z.number().int().optional(),
  isWanted: z.boolean().optional(),
  hosts: z.array(z.string()).optional(),
  filters: z.record(z.string(), z.string()).optional(),
  unit: z.string().default('days'),
});

async function read(given: unknown): Promise<unknown> {
  const result = await input['~standard'].validate(given);
  return 'value' in result ? result.value : result.issues!.map(({ message }) => message).join('; ');
}

it.each<[string, object, object]>([
  ['numbers as text', { limit: ' 12 ' }, { limit: 12 }],
  ['negative numbers as text', { limit: '-3' }, { limit: -3 }],
  ['text as a number', { site: 7 }, { site: '7' }],
  ['true as text', { isWanted: 'TRUE' }, { isWanted: true }],
  ['false as text', { isWanted: ' false' }, { isWanted: false }],
  ['a list as JSON', { hosts: '["a","b,c"]' }, { hosts: ['a', 'b,c'] }],
  ['a comma-separated list', { hosts: 'a, b' }, { hosts: ['a', 'b'] }],
  ['one value for a list', { hosts: 'a' }, { hosts: ['a'] }],
  ['an object as JSON', { filters: '{"a":"b"}' }, { filters: { a: 'b' } }],
  ['null members', { filters: { a: 'b', c: null } }, { filters: { a: 'b' } }],
  ['null', { limit: null, unit: null }, {}],
  ['empty text for optional arguments', { limit: '', unit: '' }, {}],
  ['the word null for optional arguments', { hosts: 'null' }, {}],
  ['additional fields of n8n', { toolCallId: 'x', sessionId: 'y', action: 'z', chatInput: 'w' }, {}],
])('a tool accepts %s', async (_, given, expected) => {
  expect(await read({ site: 'a.example', ...given })).toEqual({
    site: 'a.example',
    unit: 'days',
    ...expected,
  });
});

it('a tool preserves text arguments that look like other types', async () => {
  for (const site of ['', 'null', '12', ' a ', 'true'])
    expect(await read({ site })).toEqual({ site, unit: 'days' });
});

it.each<[string, unknown, string]>([
  ['an invalid number', { site: 'a', limit: '1e3' }, 'number'],
  ['a number with a suffix', { site: 'a', limit: '12 days' }, 'number'],
  ['an invalid boolean', { site: 'a', isWanted: 'yes' }, 'boolean'],
  ['a list instead of an object', { site: 'a', filters: '["a"]' }, 'record'],
  ['nothing', null, 'object'],
  ['a missing site', {}, 'site'],
  [
    'an unknown argument',
    { site: 'a', sites: 'b' },
    'Unknown argument: sites. The tool takes only site, limit',
  ],
])('a tool rejects %s', async (_, given, message) => {
  const refused = await input['~standard'].validate(given);
  const issues = refused.issues?.map(({ message, path }) => `${message} ${path?.join('.') ?? ''}`).join('; ');
  expect(issues).toContain(message);
});

it('a tool without arguments accepts only additional fields of n8n', async () => {
  const none = toolInput({});
  expect(await none['~standard'].validate({ sessionId: 'x' })).toMatchObject({ value: {} });
  const refused = await none['~standard'].validate({ site: 'x' });
  expect(refused.issues?.[0]?.message).toBe('Unknown argument: site. The tool takes none');
});
