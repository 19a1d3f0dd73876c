import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureFastest } from '../support/fastest.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { maintainDatabase } from '../support/maintenance.ts';
import { connectOperator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { IN_EARNEST } from './scale.ts';

/** Replays a month of DMARC reports of a large domain. Times are checked only on a quiet machine. */
const ROWS = IN_EARNEST ? 100_000 : 2000;
/** In milliseconds, from reports and from rollups. */
const LONGEST = { read: 500, rollups: 200 };

let service: TestService;
let key: string;

/** Ten services send most mail, forwarders and forgers some, each from its own networks. */
function toLine(n: number) {
  const sender = n % 10 < 8 ? n % 10 : 10 + (n % 400);
  const isOwn = sender < 8;
  const result = (domain: string, result: string) => ({
    domain,
    selector: `s${sender % 3}`,
    result,
    humanResult: '',
  });
  return report('ada', 'dmarc', `row-${n}`, {
    date: `2026-05-${String(1 + (n % 19)).padStart(2, '0')}T00:00:00Z`,
    ...{
      domain: 'example.com',
      headerFrom: n % 50 === 0 ? 'news.example.com' : 'example.com',
      count: 1 + (n % 40),
    },
    ...{ organisation: `Network ${sender}`, sourceIp: `192.0.${sender % 250}.${n % 250}` },
    ...{
      dkim: isOwn ? 'pass' : 'fail',
      spf: n % 3 === 0 ? 'pass' : 'fail',
      aligned: isOwn,
      disposition: 'none',
    },
    dkimResults: [result(isOwn ? 'example.com' : `sender-${sender}.example`, isOwn ? 'pass' : 'fail')],
    spfResults: [{ domain: `bounce-${sender}.example`, scope: 'mfrom', result: 'pass', humanResult: '' }],
    overrideReasons: n % 97 === 0 ? [{ type: 'forwarded', comment: '' }] : [],
    publishedPolicy: { p: 'none', sp: '', np: '', adkim: 'r', aspf: 'r', fo: '', pct: 100, testing: '' },
  });
}

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 365 }));
  for (let from = 0; from < ROWS; from += 20_000)
    await service.load(
      ...Array.from({ length: Math.min(20_000, ROWS - from) }, (_, at) => toLine(from + at)),
    );
});
afterAll(() => service?.close());

const REPLAY = `query ($policy: DmarcText!) { viewer { dmarcReplay(domain: "example.com", policy: $policy,
  from: "2026-04-21") { messages delivered rejected quarantined otherRecords senders { sender needsRepair messages } } } }`;
const READINESS = `{ viewer { mailReadiness(from: "2026-04-21") { domain messages readiness { state } } } }`;

const messages = Array.from({ length: ROWS }, (_, n) => 1 + (n % 40)).reduce((sum, count) => sum + count, 0);

async function replay(round: number): Promise<void> {
  const policy = `p=${['reject', 'quarantine'][round % 2]}; adkim=${['s', 'r'][round % 2]}; pct=${100 - round}`;
  const { viewer } = await data(service, key, REPLAY, { variables: { policy } });
  expect(viewer.dmarcReplay.messages + viewer.dmarcReplay.otherRecords).toBe(messages);
}

async function assess(): Promise<void> {
  const { viewer } = await data(service, key, READINESS);
  expect(viewer.mailReadiness).toMatchObject([{ domain: 'example.com', messages }]);
}

it(`replays a month of ${ROWS} rows, and assesses its domains, in half a second`, async () => {
  const sql = connectOperator(service.databaseUrl);
  // Autovacuum does this after a load.
  await sql`analyze report`;
  await sql.end();
  const read = [await measureFastest(replay), await measureFastest(assess)];
  await maintainDatabase(service.databaseUrl);
  const withRollups = [await measureFastest(replay), await measureFastest(assess)];
  const toText = (times: number[]) => times.map(time => `${time.toFixed()} ms`).join(' and ');
  process.stdout.write(
    `replay and readiness: ${toText(read)} from reports, ${toText(withRollups)} from rollups\n`,
  );
  if (!IN_EARNEST) return;
  expect(Math.max(...read)).toBeLessThan(LONGEST.read);
  expect(Math.max(...withRollups)).toBeLessThan(LONGEST.rollups);
});
