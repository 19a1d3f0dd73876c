import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from './support/database.ts';
import { history, Theatre } from './support/histories.ts';
import { type ServiceOnStage, stageOn } from './support/stage.ts';

/** A short variant of `test/faults/export.faults.ts`. */
const HISTORIES = Number(process.env.HISTORIES ?? 5);

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

it('a poller receives every committed report for any sequence of loads, prunes and restarts', async () => {
  await using theatre = new Theatre(stage);
  await fc.assert(
    fc.asyncProperty(history, one => theatre.play(one)),
    { numRuns: HISTORIES, seed: 11, endOnFailure: true },
  );
  expect(theatre.seen).toBeGreaterThan(HISTORIES);
});
