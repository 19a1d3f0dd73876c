import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_EARNEST, runs } from '../faults/scale.ts';
import { finding, NOW, open, personal, plan, report, watch } from '../support/fixtures.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
});
afterAll(() => service?.close());

const PRODUCTS = ['script', 'data', 'frame', 'policy'] as const;
type Product = (typeof PRODUCTS)[number];
const SITE = 'example.com';
let accounts = 0;

/** Creates an account that watches its site, and returns functions that read the findings. */
async function enrolled(fields: Record<string, unknown> = { findingsFromReports: true }) {
  const id = `watching-${accounts++}`;
  const key = await open(service, personal(id), plan(id));
  const watches = PRODUCTS.map(product => watch(id, product, SITE, fields));
  await service.load(...watches);
  const found = async (product: Product, site = SITE) => {
    const { status, body } = await service.get(`/v1/watches/${product}/${site}`, key);
    return status === 200 ? body.findings : status;
  };
  const csp = (name: string, own: object) =>
    report(id, 'csp', name, {
      uri: 'https://example.com/',
      directive: 'script-src-elem',
      blockedUri: 'https://evil.example/a.js',
      ...own,
    });
  return { id, key, watches, found, csp };
}

const seen = (count: number, firstSeen = NOW, lastSeen = firstSeen) => ({
  count,
  firstSeen: firstSeen.replace('Z', '+00:00'),
  lastSeen: lastSeen.replace('Z', '+00:00'),
});

describe('a watch that derives its findings from reports', () => {
  it('finds the resources that its product covers', async () => {
    const { id, found, csp } = await enrolled();
    await service.load(
      csp('1', { count: 2 }),
      csp('2', { date: '2026-05-19T00:00:00Z', directive: 'script-src' }),
      ...['connect-src', 'form-action', 'img-src'].map(directive =>
        csp(directive, { directive, blockedUri: `https://${directive}.example/` }),
      ),
      csp('frame', { directive: 'frame-src', blockedUri: 'https://frame.example/' }),
      csp('child', { directive: 'child-src', blockedUri: 'https://child.example/' }),
      csp('style', { directive: 'style-src', blockedUri: 'https://style.example/' }),
      report(id, 'csp_integrity', 'hash', {
        uri: 'https://example.com/',
        subresourceUri: 'https://cdn.example/b.js',
        hash: 'sha256-x',
      }),
    );
    const uris = async (product: Product) => (await found(product)).map(({ uri }: { uri: string }) => uri);
    expect(await found('script')).toEqual([
      { uri: 'https://cdn.example/b.js', ...seen(1), source: 'csp_integrity' },
      { uri: 'https://evil.example/a.js', ...seen(3, '2026-05-19T00:00:00Z', NOW), source: 'csp' },
    ]);
    expect(await uris('data')).toEqual([
      'https://connect-src.example/',
      'https://form-action.example/',
      'https://img-src.example/',
    ]);
    expect(await uris('frame')).toEqual(['https://child.example/', 'https://frame.example/']);
    expect(await found('policy')).toEqual([]);
  });

  it('finds each policy once, regardless of its nonces', async () => {
    const { found, csp } = await enrolled();
    await service.load(
      csp('1', { action: 'enforced', policy: "script-src 'nonce-abc'" }),
      csp('2', { action: 'reportOnly', policy: "script-src 'nonce-def'" }),
      csp('3', { action: 'reportOnly', policy: "default-src 'self'", date: '2026-05-20T14:00:00Z' }),
    );
    expect(await found('policy')).toEqual([
      { policy: "script-src 'nonce-…'", enforced: true, ...seen(2) },
      { policy: "default-src 'self'", enforced: false, ...seen(1, '2026-05-20T14:00:00Z') },
    ]);
  });

  it('covers pages of its host and its sub-domains', async () => {
    const { found, csp } = await enrolled();
    await service.load(
      csp('1', { uri: 'https://shop.example.com/cart' }),
      csp('2', { uri: 'https://notexample.com/' }),
      csp('3', { uri: 'https://example.com.evil.example/' }),
    );
    expect(await found('script')).toEqual([{ uri: 'https://evil.example/a.js', ...seen(1), source: 'csp' }]);
  });

  it('ignores reports caused by extensions and browsers', async () => {
    const { found, csp } = await enrolled();
    await service.load(
      csp('1', { blockedUri: 'chrome-extension://abc/inject.js' }),
      csp('2', { blockedUri: 'about' }),
      csp('3', { blockedUri: 'inline' }),
    );
    expect(await found('script')).toEqual([{ uri: 'inline', ...seen(1), source: 'csp' }]);
  });

  it('includes reports that are older than the watch, and drops its findings when it is switched back to the feed', async () => {
    const { id, found, csp, watches } = await enrolled({});
    await service.load(csp('1', {}));
    expect(await found('script')).toEqual([]);
    await service.load(watch(id, 'script', SITE, { findingsFromReports: true }), csp('2', {}));
    expect(await found('script')).toEqual([{ uri: 'https://evil.example/a.js', ...seen(2), source: 'csp' }]);
    await service.load(watch(id, 'script', SITE, { findingsFromReports: true, alertThreshold: 77 }));
    expect(await found('script')).toMatchObject([{ count: 2 }]);
    await service.load(watches[0]!);
    expect(await found('script')).toEqual([]);
  });

  it('loses only its own findings when it is switched back to the feed', async () => {
    const { id, found, csp } = await enrolled();
    const other = 'other.example';
    await service.load(
      watch(id, 'script', other, { findingsFromReports: true }),
      csp('script', {}),
      csp('image', { directive: 'img-src' }),
      csp('other', { uri: `https://${other}/` }),
    );
    const counts = async () => [await found('script'), await found('data'), await found('script', other)];
    expect((await counts()).map(({ length }) => length)).toEqual([1, 1, 1]);
    await service.load(watch(id, 'script', SITE));
    expect((await counts()).map(({ length }) => length)).toEqual([0, 1, 1]);
  });

  it('keeps findings of the feed unchanged', async () => {
    const { id, found, csp } = await enrolled();
    const stated = finding(id, 'script', SITE, 'https://evil.example/a.js', { count: 7 });
    await service.load(csp('1', {}));
    await service.load(stated);
    const before = await found('script');
    expect(before).toMatchObject([{ count: 7 }]);
    await service.load(csp('2', {}), csp('3', { blockedUri: 'https://other.example/' }));
    expect(await found('script')).toEqual(expect.arrayContaining(before));
    await service.load({ kind: 'report', accountId: id, type: 'csp', id: '1', deleted: true });
    expect(await found('script')).toEqual(expect.arrayContaining(before));
  });

  // Each loads ten thousand reports.
  if (IN_EARNEST)
    it('keeps at most 10,000 findings, dropping those unseen for long and then the rarest', async () => {
      const { found, csp } = await enrolled();
      // The service's database has its own clock.
      const [today, past] = [0, 40].map(days => new Date(Date.now() - days * 86_400_000).toISOString());
      const address = (name: string | number) => ({ blockedUri: `https://host-${name}.example/` });
      await service.load(
        csp('old', { ...address('old'), count: 1000, date: past }),
        csp('often', { ...address('often'), count: 2, date: today }),
        ...Array.from({ length: 10_000 }, (_, number) =>
          csp(`r-${number}`, { ...address(number), date: today }),
        ),
      );
      const uris = new Set((await found('script')).map(({ uri }: { uri: string }) => uri));
      expect(uris.size).toBe(10_000);
      expect(uris).toContain('https://host-often.example/');
      expect(uris).not.toContain('https://host-old.example/');
    });

  // Loads twenty thousand reports, twice.
  if (IN_EARNEST)
    it('makes a first load of many addresses at most five times as slow', async () => {
      const timed = async (fields: Record<string, unknown>) => {
        const id = `first-${accounts++}`;
        const lines = Array.from({ length: 20_000 }, (_, number) =>
          report(id, 'csp', `r-${number}`, {
            uri: 'https://example.com/',
            directive: 'script-src',
            blockedUri: `https://host-${number}.example/`,
            policy: `default-src ${number}`,
          }),
        );
        const begin = performance.now();
        await service.load(
          personal(id),
          plan(id),
          ...PRODUCTS.map(product => watch(id, product, SITE, fields)),
          ...lines,
        );
        return performance.now() - begin;
      };
      // Once more if other processes slowed down one of the loads.
      let ratio = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3 && ratio >= 5; round++) {
        const plain = await timed({});
        ratio = (await timed({ findingsFromReports: true })) / plain;
      }
      expect(ratio).toBeLessThan(5);
    });

  it('keeps at most 2 MiB of long addresses', async () => {
    const { found, csp } = await enrolled();
    const long = (number: number) => `https://evil.example/${number}/${'x'.repeat(60_000)}`;
    await service.load(
      ...Array.from({ length: 40 }, (_, number) => csp(`r-${number}`, { blockedUri: long(number) })),
    );
    expect(await found('script')).toHaveLength(34);
  });
});

it('a watch counts each report of a load once, in whatever batch it or its replacement is', async () => {
  const watching = [await enrolled(), await enrolled()];
  const [one, other] = watching.map(({ csp }) => csp);
  const [april, may] = ['2026-04-20T00:00:00Z', '2026-05-19T00:00:00Z'];
  await service.load(one!('before', { date: april, count: 5 }), one!('kept', { date: april, count: 50 }));
  // A removal is merged on its own, so the reports before and after it are merged separately.
  const next = { ...watch(watching[0]!.id, 'script', 'none.example'), deleted: true };
  await service.load(
    ...[one!('1', { date: april, count: 2 }), one!('4', { date: april, count: 1000 }), next],
    ...[one!('2', { date: may, count: 10 }), other!('1', { date: april, count: 7 }), next],
    ...[one!('1', { date: april, count: 3 }), one!('3', { date: april, count: 100 }), next],
    ...[one!('before', { date: april, count: 6 })],
  );
  const evil = { uri: 'https://evil.example/a.js', source: 'csp' };
  expect(await watching[0]!.found('script')).toEqual([
    { ...evil, ...seen(50 + 3 + 1000 + 10 + 100 + 6, april, may) },
  ]);
  expect(await watching[1]!.found('script')).toEqual([{ ...evil, ...seen(7, april) }]);
});

it('a watch that does not derive findings has only those of the feed', async () => {
  const { id, found, csp } = await enrolled({});
  await service.load(csp('1', {}), finding(id, 'script', SITE, 'https://told.example/', { count: 3 }));
  expect(await found('script')).toMatchObject([{ uri: 'https://told.example/', count: 3 }]);
});

/** A report that a watch can match. */
interface SeenReport {
  number: number;
  host: string;
  directive: string;
  blocked: number;
  policy: number;
  count: number;
  hour: number;
}

const seenReport: fc.Arbitrary<Omit<SeenReport, 'number'>> = fc.record({
  host: fc.constantFrom('example.com', 'www.example.com', 'shop.example.com', 'example.org'),
  directive: fc.constantFrom('script-src-elem', 'script-src', 'connect-src', 'frame-src', 'style-src'),
  blocked: fc.nat(3),
  policy: fc.nat(2),
  count: fc.integer({ min: 0, max: 3 }),
  hour: fc.nat(60 * 24),
});

const parseTime = ({ hour }: SeenReport) => new Date(Date.parse(NOW) - hour * 3_600_000).toISOString();

/** Returns the findings that these reports cause for a product on a site. */
function expected(reports: readonly SeenReport[], product: Product, site: string) {
  const found = new Map<string, { count: number; times: string[] }>();
  for (const report of reports) {
    const { host, directive, blocked, policy, count } = report;
    const looksAt = { script: /^script-src/, data: /^connect-src/, frame: /^frame-src/, policy: /./ }[
      product
    ];
    if (count === 0 || !looksAt.test(directive) || !`.${host}`.endsWith(`.${site}`)) continue;
    const subject = product === 'policy' ? `img-src ${policy}` : `https://host-${blocked}.example/`;
    const existing = found.get(subject) ?? { count: 0, times: [] };
    existing.count += count;
    existing.times.push(parseTime(report).replace('.000Z', '+00:00'));
    found.set(subject, existing);
  }
  return Object.fromEntries(
    [...found].map(([subject, { count, times }]) => {
      const [firstSeen, lastSeen] = [times.sort()[0], times.at(-1)];
      return [subject, { count, firstSeen, lastSeen }];
    }),
  );
}

const step = fc.record({
  what: fc.constantFrom('load', 'load', 'load', 'again', 'delete', 'watch'),
  at: fc.nat(1000),
  size: fc.integer({ min: 1, max: 12 }),
});

it('derived findings depend only on the set of reports, not on the order of loads, deletions and enrolments', {
  tags: 'slow',
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(seenReport, { minLength: 1, maxLength: 40 }),
      fc.array(step, { maxLength: 12 }),
      async (all, steps) => {
        const id = `any-${accounts++}`;
        const key = await open(service, personal(id), plan(id));
        const pool = all.map((one, number) => ({ ...one, number }));
        const stored = new Map<number, SeenReport>();
        const toLine = (one: SeenReport) =>
          report(id, 'csp', `r-${one.number}`, {
            date: parseTime(one),
            uri: `https://${one.host}/`,
            directive: one.directive,
            blockedUri: `https://host-${one.blocked}.example/`,
            policy: `img-src ${one.policy}`,
            count: one.count,
          });
        const enrol = () =>
          PRODUCTS.flatMap(product =>
            ['example.com', 'shop.example.com'].map(site =>
              watch(id, product, site, { findingsFromReports: true }),
            ),
          );
        const load = async (some: readonly SeenReport[], ...more: Line[]) => {
          for (const one of some) stored.set(one.number, one);
          await service.load(...some.map(toLine), ...more);
        };
        for (const { what, at, size } of steps) {
          const some = pool.slice(at % pool.length).slice(0, size);
          if (what === 'load') await load(some);
          if (what === 'again') await load([...stored.values()].slice(0, size));
          if (what === 'watch') await load(some.slice(0, 1), ...enrol());
          if (what !== 'delete') continue;
          const gone = [...stored.keys()].slice(0, 3);
          for (const number of gone) stored.delete(number);
          await service.load(
            ...gone.map(number => ({
              kind: 'report',
              accountId: id,
              type: 'csp',
              id: `r-${number}`,
              deleted: true,
            })),
          );
        }
        await load(pool, ...enrol());
        for (const product of PRODUCTS) {
          for (const site of ['example.com', 'shop.example.com']) {
            const { body } = await service.get(`/v1/watches/${product}/${site}`, key);
            const found = body.findings.map((one: Record<string, unknown>) => {
              const { uri, policy, count, firstSeen, lastSeen } = one;
              return [uri ?? policy, { count, firstSeen, lastSeen }];
            });
            expect(Object.fromEntries(found), `${product} ${site}`).toEqual(
              expected([...stored.values()], product, site),
            );
          }
        }
      },
    ),
    runs(2, 100),
  );
});
