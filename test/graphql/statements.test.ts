import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, personal, plan, team } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { readAll } from '../support/selections.ts';
import { startService, type TestService } from '../support/service.ts';

const COUNT = 100;

let service: TestService;
let internal: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  const ids = Array.from({ length: COUNT }, (_, i) => `account-${i}`);
  await service.load(
    ...ids.flatMap((id, i) => [i % 2 ? personal(id) : team(id), ...belongings(id), plan(id)]),
  );
  internal = await service.key('internal');
});
afterAll(() => service.close());

/** One statement for the caller, and one for the page of accounts and their plans. */
const ALWAYS = 2;

const findings = 'findings { ... on WatchFinding { uri count } ... on PolicyWatchFinding { policy count } }';
const costs: [statements: number, selection: string][] = [
  [0, `id plan ${readAll('Plan')}`],
  [1, 'quota { used limit }'],
  [2, `watches { site ${findings} }`],
  [3, `plan { name } quota { used } watches { site product ${findings} }`],
  [1, 'setup { dmarc }'],
  [1, 'team { teamName members { email } }'],
  [1, 'filters { global { removeReferrer } }'],
  [1, 'policies { name }'],
  [1, 'wizard { active }'],
  [1, 'lastSevenDays { date csp }'],
  [2, 'usageMetrics { accepted filtered }'],
  [1, 'breakdown { csp } quota { used }'],
  [1, 'graph(type: csp, unit: weeks, amount: 1) { periods { ... on CspGraphPeriod { total } } }'],
  [
    2,
    `csp: graph(type: csp, unit: weeks, amount: 1) { type } nel: graph(type: nel, unit: weeks, amount: 1) { type }`,
  ],
  [COUNT, 'cspReports(unit: days, date: "2026-05-20") { truncated }'],
];

describe('a query over 100 accounts', () => {
  it.each(costs)('runs %i statements in addition to the page itself: %s', async (statements, selection) => {
    // The second run uses the cached document.
    for (let run = 1; run <= 2; run++) {
      const before = service.statements;
      const { accounts } = await data(service, internal, `{ accounts { nodes { ${selection} } } }`);
      expect(accounts.nodes).toHaveLength(COUNT);
      expect(service.statements - before).toBe(ALWAYS + statements);
    }
  });
});
