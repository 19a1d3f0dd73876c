import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW } from '../support/fixtures.ts';
import { type RawAnswer, RawConnection } from '../support/raw-connection.ts';
import { everyRoute } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';
import { getEstate, ownProbes, type Probe, probes, type Tenant, tenant } from './tenancy.ts';

const TENANTS = [
  tenant('adam', 'personal', 1),
  tenant('bess', 'personal', 2),
  tenant('crew', 'team', 3),
  tenant('dojo', 'team', 4),
];
const REQUESTS = IN_EARNEST ? 100_000 : 300;
const CONNECTIONS = 12;

let service: TestService;
let keys: Map<Tenant, string>;
let cursors: Map<Tenant, string>;
let connections: RawConnection[];

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(...TENANTS.flatMap(getEstate));
  keys = new Map();
  cursors = new Map();
  for (const tenant of TENANTS) {
    const key = await service.key(tenant.kind, tenant.id);
    keys.set(tenant, key);
    cursors.set(tenant, (await service.get('/v1/audit-log?limit=1', key)).body.nextCursor);
  }
});
afterAll(() => service.close());
/** Before each test, because the service closes idle connections. */
beforeEach(() => {
  connections = Array.from({ length: CONNECTIONS }, () => new RawConnection(service.url));
});
afterEach(() => {
  for (const connection of connections) connection.close();
});

function write({ target, document }: Probe, caller: Tenant): string {
  const body = document === undefined ? undefined : JSON.stringify({ query: document });
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${keys.get(caller)}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** The response without the parts that vary, such as the entity tags and links of other URLs. */
function summarize({ status, headers, body }: RawAnswer) {
  const differing = new Set(['date', 'x-request-id', 'ratelimit', 'etag', 'link']);
  return { status, body, headers: [...headers].filter(([name]) => !differing.has(name)) };
}

function expectNothingForeign(answer: RawAnswer, caller: Tenant, what: string): void {
  const all = JSON.stringify([answer.body, ...answer.headers]);
  for (const other of TENANTS) {
    if (other === caller) continue;
    for (const mark of other.marks)
      if (all.includes(mark)) expect.fail(`${caller.id} saw ${mark} in ${what}`);
  }
}

const pairs = TENANTS.flatMap(caller =>
  TENANTS.filter(other => other !== caller).map((other): [string, Tenant, Tenant] => [
    `${caller.id} and ${other.id}`,
    caller,
    other,
  ]),
);

/** In npm test, each account requests only the next account's ids, which still covers all kinds of accounts. */
const tried = pairs.filter(
  ([, caller, other]) =>
    IN_EARNEST || (TENANTS.indexOf(caller) + 1) % TENANTS.length === TENANTS.indexOf(other),
);

describe('data of another tenant', () => {
  it.each(tried)('is indistinguishable from nonexistent data: %s', async (_, caller, other) => {
    const connection = connections[0]!;
    for (const [foreign, unknown] of probes(other, cursors.get(other)!)) {
      connection.write(write(foreign, caller) + write(unknown, caller));
      const answers = [(await connection.read())!, (await connection.read())!];
      expect(summarize(answers[0]!), JSON.stringify(foreign)).toEqual(summarize(answers[1]!));
      expectNothingForeign(answers[0]!, caller, JSON.stringify(foreign));
    }
  });

  it('is visible to its owner, so these tests can detect a leak', async () => {
    // In npm test, only one account of each kind.
    for (const caller of IN_EARNEST ? TENANTS : TENANTS.slice(1, 3)) {
      const seen = new Set<string>();
      for (const probe of await allOwn()) {
        connections[0]!.write(write(probe, caller));
        const { status, body } = (await connections[0]!.read())!;
        if (status === 200)
          for (const mark of caller.marks)
            if (body.includes(mark)) seen.add(probe.target + (probe.document ?? ''));
      }
      expect(seen.size).toBeGreaterThan(35);
    }
  });

  it(`appears in none of ${REQUESTS} concurrent responses over shared connections`, {
    tags: 'slow',
    timeout: 3_600_000,
  }, async () => {
    const own = await allOwn();
    const probe = pairs.flatMap(([, caller, other]) =>
      [...probes(other, cursors.get(other)!).flat(), ...own].map(probe => ({ caller, probe })),
    );
    let sent = 0;
    await Promise.all(
      connections.map(async (connection, place) => {
        while (sent < REQUESTS) {
          // The step sizes differ, so that a request coincides with a different one each time.
          const several = Array.from(
            { length: 5 },
            (_, i) => probe[((sent + i) * (2 * place + 7)) % probe.length]!,
          );
          sent += several.length;
          connection.write(several.map(({ probe, caller }) => write(probe, caller)).join(''));
          for (const { probe, caller } of several) {
            const answer = (await connection.read())!;
            expectNothingForeign(answer, caller, JSON.stringify(probe));
            expect(answer.status).toBeLessThan(500);
          }
        }
      }),
    );
  });
});

async function allOwn(): Promise<Probe[]> {
  const routes = await everyRoute();
  return ownProbes([
    ...routes.map(({ target }) => target),
    ...TENANTS.flatMap(({ policyId, site }) => [
      `/v1/policies/csp/${policyId}`,
      `/v1/watches/script/${site}`,
      `/v1/watches/policy/${site}`,
    ]),
  ]);
}
