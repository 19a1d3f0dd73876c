import { listPlaces, parsePolicy, replay, replayChange } from '@sightline/csp';
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

it('a change blocks what the earlier policy allowed or may have allowed', async () => {
  const addresses = ['allowed', 'unknown', 'blocked'].map(name => violation(`https://${name}.example`));
  const before = parsePolicy('img-src allowed.example unknown.example/path/');
  const { effects, reports } = await replayChange(parsePolicy("img-src 'none'"), before, addresses);
  expect(reports).toBe(2);
  expect(effects.map(({ blocked }) => blocked)).toEqual([
    'https://allowed.example',
    'https://unknown.example',
  ]);
});

it('tells effects on one origin apart by the source that allows them', async () => {
  const addresses = ['x/1', 'y/1', 'x/2'].map(path => violation(`https://a.example/${path}`));
  const { allowed } = await replay(parsePolicy('img-src a.example/x/ a.example/y/'), addresses);
  expect(allowed.effects.map(({ blocked, source, reports }) => [blocked, source, reports])).toEqual([
    ['https://a.example', 'a.example/x/', 2],
    ['https://a.example', 'a.example/y/', 1],
  ]);
});

it('lists each origin that a site requests with a page that requests it', () => {
  const violations = [violation('https://a.example/1'), { ...violation('https://b.example/2'), page: '' }];
  const places = listPlaces(violations, ['https://c.example/3'], 'shop.example');
  expect([...places]).toEqual([
    ['https://a.example', 'https://acme.example/'],
    ['https://b.example', 'https://shop.example/'],
    ['https://c.example', 'https://shop.example/'],
  ]);
});

it('keeps the two hundred effects on the most pages and with the most violations, with three examples', async () => {
  const single = Array.from({ length: 201 }, (_, n) => ({
    ...violation(`https://h${n}.example/a`),
    ...{ count: n === 200 ? 9 : 1 },
  }));
  const pages = [1, 2, 3, 4].map(n => ({
    ...violation(`https://pages.example/${n}`),
    page: `https://acme.example/${n}`,
  }));
  const { blocked, allowed } = await replay(parsePolicy("img-src 'none'"), [...single, ...pages]);
  expect([blocked.effects.length, blocked.otherEffects, blocked.reports]).toEqual([200, 2, 205]);
  expect(blocked.effects[0]).toMatchObject({
    ...{
      violated: 'img-src',
      directive: 'img-src',
      blocked: 'https://pages.example',
      source: null,
      reason: null,
    },
    ...{ pages: 4, count: 4, reports: 4, days: 1 },
    examples: [1, 2, 3].map(n => ({
      page: `https://acme.example/${n}`,
      blockedUri: `https://pages.example/${n}`,
    })),
  });
  expect(blocked.effects[1]).toMatchObject({ blocked: 'https://h200.example', count: 9 });
  expect(allowed).toMatchObject({ effects: [], otherEffects: 0, reports: 0, firstSeen: null });
});
