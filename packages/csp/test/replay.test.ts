import { parsePolicy, replay } from '@sightline/csp';
import { expect, it } from 'vitest';

const violation = (blockedUri: string) => ({
  page: 'https://acme.example/',
  directive: 'img-src',
  blockedUri,
  count: 1,
  reports: 1,
  firstSeen: '2026-05-20T00:00:00Z',
  lastSeen: '2026-05-20T00:00:00Z',
  dayBits: 1n,
});

it('shortens the origin of an address that is longer than any host', async () => {
  const long = 'x'.repeat(60_000);
  const addresses = [long, `${long}:1`, `https://${long}`, `https://a.example/${long}`];
  const outcomes = Object.values(await replay(parsePolicy("img-src 'none'"), addresses.map(violation)));
  const origins = [...new Set(outcomes.flatMap(({ effects }) => effects.map(({ blocked }) => blocked)))];
  expect(origins.map(origin => origin.length).toSorted((a, b) => a - b)).toEqual([17, 2048, 2048]);
  expect(origins).toContain('https://a.example');
});
