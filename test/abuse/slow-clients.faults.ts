import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { type LargeService, serveLarge } from './large-service.ts';
import { ATTACKS, type Attack, attack, OWN } from './slow-clients.ts';

let service: LargeService;

beforeAll(async () => {
  service = await serveLarge();
});
afterAll(() => service.close());

/** The number of clients of each kind that connect at the same time. */
const attempts: [what: string, kinds: readonly Attack[], count: number][] = IN_EARNEST
  ? ATTACKS.map(kind => [kind.name, [kind], kind.anonymous ? 10_000 : 500])
  : [['every kind', ATTACKS, 10]];

/** In milliseconds; the longer value is for a busy machine. */
const PATIENCE = IN_EARNEST ? 30_000 : 240_000;

it.each(attempts)(
  'slow clients do not affect other clients and are disconnected: %s',
  async (_, kinds, count) => {
    const damage = await attack(service, kinds, count, PATIENCE);
    expect(damage.failures).toEqual([]);
    expect(damage.requests).toBeGreaterThan(40);
    expect(damage.socketsLeft).toBeLessThanOrEqual(OWN);
    // The documented limit is 300, which includes the memory after start-up.
    expect(damage.memory).toBeLessThan(220);
    // Times are not meaningful while other tests run.
    if (IN_EARNEST) expect(damage.p99).toBeLessThan(1500);
    expect(service.served.log.filter(line => line.includes('"level":50'))).toEqual([]);
  },
);
