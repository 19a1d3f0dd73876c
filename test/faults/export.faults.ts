import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { history, type Stage, Theatre } from '../support/histories.ts';
import { connectOperator } from '../support/operator.ts';
import { type ServiceOnStage, stageOn } from '../support/stage.ts';
import { type Primary, type Standby, startPrimary } from '../support/standby.ts';

/** The number of random histories for each setup; set HISTORIES for more. */
const HISTORIES = Number(process.env.HISTORIES ?? 1000);
const HOURS = 3_600_000;

async function everyPollerSeesAll(stage: Stage): Promise<void> {
  await using theatre = new Theatre(stage);
  await fc.assert(
    fc.asyncProperty(history, one => theatre.play(one)),
    { numRuns: HISTORIES, endOnFailure: true },
  );
  expect(theatre.seen).toBeGreaterThan(HISTORIES);
  process.stderr.write(`${HISTORIES} histories: ${theatre.seen} reports seen, none missed\n`);
}

describe('a poller receives every committed report', () => {
  describe('on a single server, or on Citus where the tests use it', () => {
    let database: TestDatabase;
    let stage: ServiceOnStage;
    beforeAll(async () => {
      database = await createDatabase();
      stage = await stageOn(database.url);
    });
    afterAll(async () => {
      await stage.close();
      await database.drop();
    });

    it('for any sequence of loads, prunes and restarts', { timeout: HOURS }, () => everyPollerSeesAll(stage));

    it('on Citus', async context => {
      const sql = connectOperator(database.url);
      const isSpread = await isDistributed(sql);
      await sql.end();
      if (isSpread) return;
      process.stderr.write('skipped: the histories on Citus need it, and it is not installed here\n');
      context.skip();
    });
  });

  describe('through a lagging standby and the primary alternately', () => {
    let primary: Primary;
    let standby: Standby;
    let stage: ServiceOnStage;
    beforeAll(async () => {
      primary = await startPrimary();
      standby = await primary.standby();
      stage = await stageOn(primary.url, standby);
    });
    afterAll(async () => {
      await stage?.close();
      await standby?.[Symbol.asyncDispose]();
      await primary?.[Symbol.asyncDispose]();
    });

    it('for any sequence of loads, prunes, restarts and delays', { timeout: HOURS }, () =>
      everyPollerSeesAll(stage),
    );
  });
});
