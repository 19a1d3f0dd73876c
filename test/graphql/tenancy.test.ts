import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE, NOW, personal, plan } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { readAll, reportFields } from '../support/selections.ts';
import type { Line } from '../support/service.ts';
import { startService, type TestService } from '../support/service.ts';

/** Marks every text of the other account, so that a leak is recognized. */
const MARK = 'belongs-to-the-other';

let service: TestService;
let own: string;
let other: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(personal('own'), plan('own', {}, { threatIntelligence: true }));
  await service.load(personal('other', { email: `${MARK}@example.com` }), ...belongings('other').map(marked));
  own = await service.key('personal', 'own');
  other = await service.key('personal', 'other');
});
afterAll(() => service.close());

function marked(line: Line): Line {
  const texts = ['raw', 'name', 'policy', 'message', 'webhookTarget', 'dmarc', 'commonName'];
  const existing = texts.filter(text => text in line);
  return { ...line, ...Object.fromEntries(existing.map(text => [text, `${MARK} ${line[text]}`])) };
}

const ALL = readAll('Account');
const REPORTS = reportFields()
  .map(({ field, selection }) => `${field}(unit: days, date: "2026-05-20") ${selection}`)
  .slice(0, 3)
  .join(' ');

/** Queries with the id of another account that an account key can send. */
const attempts: [string, (id: string) => string][] = [
  ['the account by its id', id => `{ account(id: "${id}") ${ALL} }`],
  ['the account under an alias', id => `{ viewer: account(id: "${id}") { id email } }`],
  [
    'the account in addition to its own',
    id => `{ viewer { id } a: account(id: "own") { id } b: account(id: "${id}") { id } }`,
  ],
  [
    'the account through a fragment',
    id =>
      `query { ...q } fragment q on Query { account(id: "${id}") { ...a } } fragment a on Account { email }`,
  ],
  [
    'the accounts that follow it',
    id => `{ accounts(after: "${Buffer.from(id).toString('base64url')}") { nodes ${ALL} } }`,
  ],
  [
    'a report by its id',
    id => `{ viewer { nelReports(unit: days, date: "2026-05-20", id: "${id}") { reports { raw } } } }`,
  ],
  [
    'reports by the id of a policy',
    id => `{ viewer { cspReports(unit: days, date: "2026-05-20", policyId: "${id}") { reports { raw } } } }`,
  ],
];

describe('an account key', () => {
  it.each(attempts)('gets the same response for a foreign id and an unknown id: %s', async (_, query) => {
    const [foreign, unknown] = [
      await ask(service, own, query('other')),
      await ask(service, own, query('nobody')),
    ];
    expect(foreign.status).toBe(unknown.status);
    expect(foreign.text).toBe(unknown.text);
    expect(foreign.text).not.toContain(MARK);
  });

  it('never reads data of another account, regardless of the selected fields', async () => {
    const seen = await ask(service, other, `{ viewer ${ALL} reports: viewer { ${REPORTS} } }`);
    expect(seen.text).toContain(MARK);
    const { status, text } = await ask(service, own, `{ viewer ${ALL} reports: viewer { ${REPORTS} } }`);
    expect(status).toBe(200);
    expect(text).not.toContain(MARK);
  });

  it('cannot read a certificate that only another account has seen', async () => {
    const query = (sha256: string) => `{ viewer { certificate(sha256: "${sha256}") { pem } } }`;
    expect((await ask(service, other, query(CERTIFICATE.sha256))).text).toContain('BEGIN CERTIFICATE');
    const [foreign, unknown] = [
      await ask(service, own, query(CERTIFICATE.sha256)),
      await ask(service, own, query('0'.repeat(64))),
    ];
    expect(foreign.text).toBe('{"data":{"viewer":{"certificate":null}}}');
    expect(unknown.text).toBe(foreign.text);
  });

  it('cannot use a cursor of another account', async () => {
    await service.load(...['1', '2'].map(id => ({ ...belongings('other').at(-1)!, id })));
    const first = await ask(service, other, '{ viewer { auditLog(limit: 1) { nextCursor } } }');
    const cursor = first.body.data.viewer.auditLog.nextCursor;
    const { body } = await ask(
      service,
      own,
      `{ viewer { auditLog(cursor: "${cursor}") { events { message } } } }`,
    );
    expect(body).toMatchObject({
      data: { viewer: { auditLog: null } },
      errors: [{ message: 'Invalid cursor' }],
    });
  });

  it('reads only its own account when two accounts send the same query concurrently', async () => {
    const query = '{ viewer { id quota { used } policies { name } } }';
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(service, i % 2 ? own : other, query)),
    );
    for (const [i, { body, text }] of answers.entries()) {
      expect(body.data.viewer.id).toBe(i % 2 ? 'own' : 'other');
      expect(text.includes(MARK)).toBe(i % 2 === 0);
    }
  });
});
