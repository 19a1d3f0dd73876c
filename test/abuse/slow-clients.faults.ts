import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { type LargeService, serveLarge } from './large-service.ts';
import { ATTACKS, type Attack, attack, OWN } from './slow-clients.ts';

let service: LargeService;

beforeAll(async () => {
  service = await serveLarge();
});
afterAll(() => service.close());

/** The requests that come at once, and the number of clients of each kind. */
const attempts: [what: string, kinds: readonly Attack[], count: number][] = IN_EARNEST
  ? ATTACKS.map(kind => [kind.name, [kind], kind.anonymous ? 10_000 : 500])
  : [['every kind of them', ATTACKS, 10]];

/** Milliseconds. A busy machine is given the time that it needs. */
const PATIENCE = IN_EARNEST ? 30_000 : 240_000;

it.each(attempts)('slow clients leave the others alone, and are cut: %s', async (_, kinds, count) => {
  const damage = await attack(service, kinds, count, PATIENCE);
  expect(damage.failures).toEqual([]);
  expect(damage.requests).toBeGreaterThan(40);
  expect(damage.socketsLeft).toBeLessThanOrEqual(OWN);
  // The promise is 300, with what the process holds before.
  expect(damage.memory).toBeLessThan(220);
  // A machine that runs the other tests at the same time has no time to be measured.
  if (IN_EARNEST) expect(damage.p99).toBeLessThan(1500);
  expect(service.served.log.filter(line => line.includes('"level":50'))).toEqual([]);
});
