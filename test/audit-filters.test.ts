import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../sql/account-id.ts';
import { type AuditFilter, auditEvents } from '../sql/audit.ts';
import type { Database } from '../sql/client.ts';
import { NOW, personal, plan } from './support/fixtures.ts';
import { manyEvents } from './support/many-events.ts';
import { connectOperator, type Operator } from './support/operator.ts';
import { startService, type TestService } from './support/service.ts';

/** Longer than an index entry can be, even when compressed. */
const LONG = Array.from({ length: 2000 }, (_, index) => hash('sha256', String(index))).join('');

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService();
  await service.load(personal('long'), plan('long'));
  operator = connectOperator(service.databaseUrl);
  const events = manyEvents('long', 8000, {
    timestamp: `timestamptz '2026-01-01 00:00+00' + n * interval '1 minute'`,
    event: "case n when 5 then 'planChanged' else 'loginSucceeded' end",
    loggedByEmail: "case n when 7 then 'gone@example.com' else 'ann@example.com' end",
  });
  await operator.query(events);
  // Earlier versions accepted values of up to 64 KiB.
  await operator`
    insert into audit_event
    select 'long', id, ${NOW}, begin || id, 'Event', 'user-1', begin || id, ''
    from (values ('one'), ('two')) given (id), (select ${LONG} as begin) text`;
  await operator.query('analyze audit_event');
});
afterAll(async () => {
  await operator?.end();
  await service?.close();
});

/** Returns the number of events, and the query plan that PostgreSQL uses to find them. */
async function lookUp(filter: AuditFilter): Promise<{ found: number; plan: string }> {
  let plan = '';
  const explained: Pick<Database, 'queryTenant'> = {
    async queryTenant(account, text, parameters, how) {
      const rows = await operator.query(`explain ${text}`, parameters as never);
      plan = rows.map(row => row['QUERY PLAN']).join('\n');
      return service.database.queryTenant(account, text, parameters, how);
    },
  };
  const found = await auditEvents(explained as Database, 'long' as AccountId, null, 100, filter);
  return { found: found.length, plan };
}

it('rare events are found through an index, and frequent ones in the order of the trail', async () => {
  const [event, actor, frequent] = [
    await lookUp({ event: 'planChanged' }),
    await lookUp({ actor: 'gone@example.com' }),
    await lookUp({ event: 'loginSucceeded' }),
  ];
  expect([event.found, actor.found, frequent.found]).toEqual([1, 1, 100]);
  expect(event.plan).toContain('audit_event_by_event');
  expect(actor.plan).toContain('audit_event_by_actor');
  expect(frequent.plan).toContain('audit_event_recent');
});

it('events and actors are distinguished even if they differ only beyond the indexed prefix', async () => {
  for (const filter of [{ event: `${LONG}one` }, { actor: `${LONG}two` }]) {
    expect((await lookUp(filter)).found).toBe(1);
  }
  for (const filter of [{ event: LONG }, { event: LONG.slice(0, 255) }, { actor: LONG.slice(0, 254) }]) {
    expect((await lookUp(filter)).found).toBe(0);
  }
});
