import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW } from '../support/fixtures.ts';
import { type RawAnswer, RawConnection } from '../support/raw-connection.ts';
import { everyRoute } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';
import { estateOf, ownProbes, type Probe, probes, type Tenant, tenant } from './tenancy.ts';

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
  await service.load(...TENANTS.flatMap(estateOf));
  keys = new Map();
  cursors = new Map();
  for (const tenant of TENANTS) {
    const key = await service.key(tenant.kind, tenant.id);
    keys.set(tenant, key);
    cursors.set(tenant, (await service.get('/v1/audit-log?limit=1', key)).body.nextCursor);
  }
});
afterAll(() => service.close());
/** For each test anew: the service closes what is not used for a while. */
beforeEach(() => {
  connections = Array.from({ length: CONNECTIONS }, () => new RawConnection(service.url));
});
afterEach(() => {
  for (const connection of connections) connection.close();
});

function write({ target, document }: Probe, asker: Tenant): string {
  const body = document === undefined ? undefined : JSON.stringify({ query: document });
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${keys.get(asker)}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** An answer without what is different in every answer, and without the tag and the link of another address. */
function told({ status, headers, body }: RawAnswer) {
  const differing = new Set(['date', 'x-request-id', 'ratelimit', 'etag', 'link']);
  return { status, body, headers: [...headers].filter(([name]) => !differing.has(name)) };
}

function expectNothingForeign(answer: RawAnswer, asker: Tenant, what: string): void {
  const all = JSON.stringify([answer.body, ...answer.headers]);
  for (const other of TENANTS) {
    if (other === asker) continue;
    for (const mark of other.marks) if (all.includes(mark)) expect.fail(`${asker.id} saw ${mark} in ${what}`);
  }
}

const pairs = TENANTS.flatMap(asker =>
  TENANTS.filter(other => other !== asker).map((other): [string, Tenant, Tenant] => [
    `${asker.id} and ${other.id}`,
    asker,
    other,
  ]),
);

/** In npm test each asks for what is of the next: that is all kinds of accounts, of each other and of their own. */
const tried = pairs.filter(
  ([, asker, other]) =>
    IN_EARNEST || (TENANTS.indexOf(asker) + 1) % TENANTS.length === TENANTS.indexOf(other),
);

describe('what belongs to another', () => {
  it.each(tried)('is answered for like what does not exist: %s', async (_, asker, other) => {
    const connection = connections[0]!;
    for (const [foreign, unknown] of probes(other, cursors.get(other)!)) {
      connection.write(write(foreign, asker) + write(unknown, asker));
      const answers = [(await connection.read())!, (await connection.read())!];
      expect(told(answers[0]!), JSON.stringify(foreign)).toEqual(told(answers[1]!));
      expectNothingForeign(answers[0]!, asker, JSON.stringify(foreign));
    }
  });

  it('would be seen here: its owner sees it', async () => {
    // In npm test one of each kind of account.
    for (const asker of IN_EARNEST ? TENANTS : TENANTS.slice(1, 3)) {
      const seen = new Set<string>();
      for (const probe of await allOwn()) {
        connections[0]!.write(write(probe, asker));
        const { status, body } = (await connections[0]!.read())!;
        if (status === 200)
          for (const mark of asker.marks)
            if (body.includes(mark)) seen.add(probe.target + (probe.document ?? ''));
      }
      expect(seen.size).toBeGreaterThan(35);
    }
  });

  it(`is in none of ${REQUESTS} answers to all at once, over connections that they share`, {
    timeout: 3_600_000,
  }, async () => {
    const own = await allOwn();
    const asked = pairs.flatMap(([, asker, other]) =>
      [...probes(other, cursors.get(other)!).flat(), ...own].map(probe => ({ asker, probe })),
    );
    let sent = 0;
    await Promise.all(
      connections.map(async (connection, place) => {
        while (sent < REQUESTS) {
          // Different steps, so that the same requests meet ever other ones.
          const several = Array.from(
            { length: 5 },
            (_, i) => asked[((sent + i) * (2 * place + 7)) % asked.length]!,
          );
          sent += several.length;
          connection.write(several.map(({ probe, asker }) => write(probe, asker)).join(''));
          for (const { probe, asker } of several) {
            const answer = (await connection.read())!;
            expectNothingForeign(answer, asker, JSON.stringify(probe));
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
