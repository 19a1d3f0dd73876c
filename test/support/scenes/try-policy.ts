import { type Scene, toGroup, toRows } from '../page-data.ts';
import { click } from '../rendered-page.ts';

const effect = (violated: string, blocked: string, more: object = {}) => ({
  ...{ directive: 'img-src', violated, blocked, source: null, reason: null, count: 1, pages: 1, days: 1 },
  examples: [{ page: 'https://shop.example/x\u202ey', blockedUri: blocked }],
  ...more,
});

const outcome = (effects: readonly { count: number }[] = [], otherEffects = 0) => ({
  ...{ count: effects.reduce((sum, { count }) => sum + count, 0), pages: effects.length, days: 1 },
  ...{ effects, otherEffects },
});

const suggestion = (source: string, more: object = {}) => ({
  ...{ directive: 'img-src', source, covers: [source], opens: null, count: 1000, pages: 2000, days: 3000 },
  ...{ browsers: 4000, doubts: [], firstSeen: '2026-03-01T10:00:00Z', ...more },
});

const POLICY = "default-src 'self'; img-src data:";

const replay = (more: object = {}) => ({
  ...{ policy: POLICY, blocked: outcome(), allowed: outcome(), unknown: outcome(), noise: { count: 0 } },
  ...{ otherCount: 0, unused: [], ignored: [], trial: { isWatched: false, since: null }, ...more },
});

const many = (length: number) => Array.from({ length }, (_, at) => suggestion(`https://s${at}.example`));

export function listTryPolicies(): Scene[] {
  const scene = (title: string, policyReplay: object, suggestions: object[] = [], others = 0): Scene => ({
    title,
    hash: '#/try-policy?site=shop.example&policy=x&add=img-src+data:&add=font-src',
    data: {
      TryPolicy: {
        account: { policyReplay, policySuggestion: { suggestions, otherSuggestions: others } },
      },
      Sites: {
        account: {
          sites: toRows([toGroup('shop.example', 1)]),
          policies: [{ policyId: 'p1', name: 'x\u202ey', policy: 'img-src a.example' }],
        },
      },
    },
  });
  const blocked = (count: number) =>
    outcome(
      Array.from({ length: count }, (_, at) => effect('img-src', `https://a${at}.example:8443/`)),
      count === 16 ? 1000 : 0,
    );
  return [
    { title: 'only a site', hash: '#/try-policy?site=shop.example', data: {} },
    { title: 'only a policy', hash: '#/try-policy?policy=x', data: {} },
    { title: 'no account', hash: '#/try-policy?site=shop.example&policy=x', data: {} },
    scene('no reports', replay()),
    scene(
      'one report of noise, and sources of each kind',
      replay({
        ...{ noise: { count: 1 }, otherCount: 1, trial: { isWatched: true, since: null } },
        unused: [{ directive: 'img-src', source: 'x\u202ey' }],
        ignored: [{ directive: 'img-src', source: 'no source' }],
        blocked: outcome([effect('img-src', 'https://a.example:8443/x'), effect('', '', { count: 2 })]),
        unknown: outcome([
          effect('img-src', 'data', { directive: null, reason: 'No host', source: 'x\u202ey', count: 1000 }),
        ]),
        allowed: outcome([effect('x\u202ey', 'about:blank', { directive: 'default-src' })], 1),
      }),
      [
        suggestion('data:', {
          covers: ['data:', 'x\u202ey'],
          opens: 'anything',
          browsers: null,
          firstSeen: null,
        }),
        ...['THREAT', 'NEW', 'ONE_BROWSER', 'ONE_PAGE', 'ONE_DAY'].map((doubt, at) =>
          suggestion(`https://d${at}.example`, { doubts: at === 0 ? [doubt, 'NEW'] : [doubt], browsers: 0 }),
        ),
      ],
      1,
    ),
    scene(
      'as many as are shown',
      replay({ blocked: blocked(15), trial: { isWatched: true, since: '2026-03-01T10:00:00Z' } }),
      many(20),
      2,
    ),
    scene('one more', replay({ blocked: blocked(16) }), many(21)),
    {
      ...scene('one more, expanded', replay({ blocked: blocked(16) })),
      use: page => click(page, 'Show all 16'),
    },
    scene('only doubtful sources', replay({ noise: { count: 2 } }), [
      suggestion('https://a.example', { doubts: ['NEW'] }),
    ]),
  ];
}
