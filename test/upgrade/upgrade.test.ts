import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { migrate, migrations } from '../../sql/operator/migrate.ts';
import { createBareDatabase } from '../support/database.ts';
import { NOW, personal, team } from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { applyMigrations } from '../support/restored.ts';
import { belongings, everyRoute, type Route } from '../support/routes.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** The releases from which upgrades start, and the last migration of each. Their data is in `<version>.sql`. */
const RELEASES = [{ version: '1.0.0', lastMigration: 1 }] as const;
const getData = (version: string) => readFileSync(new URL(`${version}.sql`, import.meta.url), 'utf8');
const OLDEST_DATA = getData(RELEASES[0].version);
const ACCOUNTS = { personal: 'u-1', team: 'u-2' } as const;

/** Excludes report types that the oldest release does not have. */
const isInOldest = ({ kind, type }: Line) => kind !== 'report' || OLDEST_DATA.includes(`'${type}'`);

const all = await migrations();
const routes = await everyRoute();

/** Collects the responses of every route for each kind of account. */
async function collectAnswers(service: TestService): Promise<Record<string, string>> {
  service.setNow(NOW);
  const answers: Record<string, string> = {};
  for (const [kind, account] of Object.entries(ACCOUNTS) as ['personal' | 'team', string][]) {
    const key = await service.key(kind, account);
    const ask = async ({ target, teamOnly }: Route) => {
      if (teamOnly && kind === 'personal') return;
      const { status, text } = await service.get(target, key);
      answers[`${kind} ${target}`] = `${status} ${text}`;
    };
    await Promise.all(routes.filter(({ isExport }) => !isExport).map(ask));
    // Each key can run only a few exports at once.
    for (const route of routes.filter(({ isExport }) => isExport)) await ask(route);
  }
  return answers;
}

let today: TestService;
let expected: Record<string, string>;
beforeAll(async () => {
  today = await startService();
  await today.load(
    personal(ACCOUNTS.personal),
    team(ACCOUNTS.team),
    ...Object.values(ACCOUNTS).flatMap(belongings).filter(isInOldest),
  );
  expected = await collectAnswers(today);
});
afterAll(() => today?.close());

describe('an upgrade', () => {
  it.each(RELEASES)(
    'from $version returns the same responses as a new installation on every route',
    { tags: 'slow' },
    async release => {
      const bare = await createBareDatabase();
      const sql = connectOperator(bare.url);
      try {
        if (await isDistributed(sql)) return;
        const released = all.filter(({ version }) => version <= release.lastMigration);
        await applyMigrations(sql, released);
        await sql.query(getData(release.version));
        expect((await migrate(sql)).map(({ name }) => name)).toEqual(
          all.slice(released.length).map(({ name }) => name),
        );
        await using service = await startService({ databaseUrl: bare.url });
        expect(await collectAnswers(service)).toEqual(expected);
        // The service can still load data.
        await service.load(personal(ACCOUNTS.personal, { email: 'new@example.com' }));
        const { body } = await service.get('/v1/me', await service.key('personal', ACCOUNTS.personal));
        expect(body).toMatchObject({ email: 'new@example.com' });
      } finally {
        await sql.end();
        await bare.drop();
      }
    },
  );

  it('is compared with successful responses only', () => {
    const found = Object.entries(expected).filter(([, answer]) => !answer.startsWith('200 '));
    expect(found).toEqual([]);
    expect(Object.keys(expected).length).toBeGreaterThan(80);
  });
});
