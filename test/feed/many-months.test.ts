import { expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { NOW, report, team } from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { belongings, everyRoute } from '../support/routes.ts';
import { startService } from '../support/service.ts';

const MONTHS = 2700;

it('loads as many of 2700 months as the limit allows, and keeps every route working', {
  tags: 'slow',
}, async () => {
  const service = await startService({ now: NOW });
  const operator = connectOperator(service.databaseUrl);
  try {
    await service.load(team('acme'), ...belongings('acme'));
    const last = new Date();
    const lines = Array.from({ length: MONTHS }, (_, before) => {
      const month = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - before, 1));
      return JSON.stringify(report('acme', 'csp', `month-${before}`, { date: month.toISOString() }));
    });
    let rejected = '';
    const summary = await loadFeed(
      operator,
      new Announcer(operator, 0),
      [{ name: 'test', content: [`${lines.join('\n')}\n`] }],
      {
        rejects: bytes => {
          rejected += Buffer.from(bytes).toString();
        },
      },
    );
    const [stored] = await operator`select count(*)::int as reports from report where id like 'month-%'`;
    expect(stored!.reports).toBeGreaterThanOrEqual(36);
    expect(summary.rejected).toBe(MONTHS - stored!.reports);
    // The newest reports were loaded first.
    expect(rejected.trim().split('\n')).toEqual(lines.slice(stored!.reports));
    const key = await service.key('team', 'acme');
    for (const { target } of await everyRoute())
      expect([target, (await service.get(target, key)).status]).toEqual([target, 200]);
  } finally {
    await operator.end();
    await service.close();
  }
});
