import { expect, it } from 'vitest';
import { importBytes } from './reports.ts';

it.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  ['yes', null],
  [1, null],
  [null, null],
  [undefined, null],
])('a crash with is_top_level %j is stored with %j', async (is_top_level, expected) => {
  const crash = {
    type: 'crash',
    age: 0,
    url: 'https://shop.example/',
    body: { reason: 'oom', is_top_level },
  };
  const { records } = await importBytes(JSON.stringify(crash), { format: 'browser' });
  expect(records.map(({ type, isTopLevel }) => [type, isTopLevel])).toEqual([['crash', expected]]);
});

it.each([
  ['its own', { url: 'https://a.example/x', body: { url: 'https://b.example/' } }, 'https://a.example/x'],
  ["its body's", { body: { url: 'https://b.example/' } }, 'https://b.example/'],
  ['no', { body: {} }, ''],
])('a network error with %s address is stored with it', async (_, { body, ...outer }, uri) => {
  const error = {
    type: 'network-error',
    age: 0,
    ...outer,
    body: { ...body, phase: 'dns', type: 'dns.failed' },
  };
  const { records } = await importBytes(JSON.stringify(error), { format: 'browser' });
  expect(records.map(({ type, uri, phase }) => [type, uri, phase])).toEqual([['nel', uri, 'dns']]);
});

it.each([
  ['https://a.example/x?y=1#z', 'https://a.example/x'],
  [
    'see https://a.example/?x, https://b.example/#y; https://c.example/',
    'see https://a.example/, https://b.example/; https://c.example/',
  ],
  ['is this one? #1', 'is this one? #1'],
])('a message is stored without the queries of its URLs: %j becomes %j', async (message, expected) => {
  const deprecation = {
    type: 'deprecation',
    age: 0,
    url: 'https://shop.example/',
    body: { id: 'x', message },
  };
  const { records } = await importBytes(JSON.stringify(deprecation), { format: 'browser', stripQuery: true });
  expect(records.map(record => [record.message, JSON.parse(record.raw).body.message])).toEqual([
    [expected, expected],
  ]);
});
