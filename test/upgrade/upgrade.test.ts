import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { type Migration, migrate, migrations } from '../../sql/operator/migrate.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { createBareDatabase } from '../support/database.ts';
import { NOW, personal, team } from '../support/fixtures.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { giveForm } from '../support/restored.ts';
import { belongings, everyRoute, type Route } from '../support/routes.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/**
 * The data of the first form, as statements: an installation with something for every route. Every later form takes
 * it, too,
 * since migrations leave what the release before writes. The migrations themselves say what each form was.
 */
const DATA = readFileSync(new URL('data.sql', import.meta.url), 'utf8');
const ACCOUNTS = { personal: 'u-1', team: 'u-2' } as const;

/** A form has no reports of types that are younger than it. */
const isInForm = ({ kind, type }: Line) => kind !== 'report' || DATA.includes(`'${type}'`);

const all = await migrations();
const routes = await everyRoute();

/** A database of the form that it had after these migrations, with data. */
async function makeForm(sql: Operator, applied: readonly Migration[]): Promise<void> {
  await giveForm(sql, applied);
  await sql.query(DATA);
}

/** The answers of every route to each kind of account. */
async function answersOf(service: TestService): Promise<Record<string, string>> {
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
    // A key has few exports at once.
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
    ...Object.values(ACCOUNTS).flatMap(belongings).filter(isInForm),
  );
  expected = await answersOf(today);
});
afterAll(() => today?.close());

/** The first goes through all of them, the last is the one before. */
const earlier = all.slice(0, -1);
const forms = IN_EARNEST ? earlier : [earlier[0]!, earlier.at(-1)!];

describe('an upgrade', () => {
  it.each(forms)('from the form of $name answers on every route as a new installation', async from => {
    const bare = await createBareDatabase();
    const sql = connectOperator(bare.url);
    try {
      if (await isDistributed(sql)) return;
      await makeForm(sql, all.slice(0, all.indexOf(from) + 1));
      expect((await migrate(sql)).map(({ name }) => name)).toEqual(
        all.slice(all.indexOf(from) + 1).map(({ name }) => name),
      );
      await using service = await startService({ databaseUrl: bare.url });
      expect(await answersOf(service)).toEqual(expected);
      // And takes what comes after it.
      await service.load(personal(ACCOUNTS.personal, { email: 'new@example.com' }));
      const { body } = await service.get('/v1/me', await service.key('personal', ACCOUNTS.personal));
      expect(body).toMatchObject({ email: 'new@example.com' });
    } finally {
      await sql.end();
      await bare.drop();
    }
  });

  it.each(['0010', '0011'])('from %s takes audit events that fit into no index', async version => {
    const bare = await createBareDatabase();
    const sql = connectOperator(bare.url);
    try {
      if (await isDistributed(sql)) return;
      // Migration 11 fails on such an event, and so would whatever it let in later: its indexes were dropped by hand.
      await makeForm(
        sql,
        all.filter(({ name }) => name <= `${version}~`),
      );
      await sql`drop index if exists audit_event_by_event, audit_event_by_actor`;
      const long = randomBytes(32 * 1024).toString('hex');
      await sql`insert into audit_event values (${ACCOUNTS.personal}, 'long', ${NOW}, ${long}, '', 'x', ${long}, '')`;
      await migrate(sql);
      await using service = await startService({ databaseUrl: bare.url });
      service.setNow(NOW);
      const { text } = await service.get('/v1/audit-log', await service.key('personal', ACCOUNTS.personal));
      expect(text.includes(`"event":"${long}"`) && text.includes(`"loggedByEmail":"${long}"`)).toBe(true);
    } finally {
      await sql.end();
      await bare.drop();
    }
  });

  it('is tried with answers that say something', () => {
    const found = Object.entries(expected).filter(([, answer]) => !answer.startsWith('200 '));
    expect(found).toEqual([]);
    expect(Object.keys(expected).length).toBeGreaterThan(80);
  });
});
