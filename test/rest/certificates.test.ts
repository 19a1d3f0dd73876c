import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  CERTIFICATE,
  certificate,
  NOW,
  observation,
  open,
  personal,
  plan,
  report,
} from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

const get = async (sha256: string, as = key) => {
  const { status, text } = await service.get(`/v1/certificate-transparency/cert/${sha256}`, as);
  return [status, text];
};
const FOUND = [200, JSON.stringify({ pem: CERTIFICATE.pem })];
const NOT_FOUND = [404, '{"error":"Certificate not found"}'];

it('returns the certificate while a report of the account refers to it', async () => {
  expect(await get(CERTIFICATE.sha256)).toEqual(NOT_FOUND);
  await service.load(certificate());
  expect(await get(CERTIFICATE.sha256)).toEqual(NOT_FOUND);
  await service.load(observation('ada'));
  expect(await get(CERTIFICATE.sha256)).toEqual(FOUND);
  const { kind, accountId, type, id } = observation('ada');
  await service.load({ kind, accountId, type, id, deleted: true });
  expect(await get(CERTIFICATE.sha256)).toEqual(NOT_FOUND);
});

it('returns the certificate regardless of whether its report or the certificate is loaded first', async () => {
  const other = await open(service, personal('eve'), plan('eve'));
  await service.load({ kind: 'certificate', sha256: CERTIFICATE.sha256, deleted: true });
  await service.load(observation('eve'));
  expect(await get(CERTIFICATE.sha256, other)).toEqual(NOT_FOUND);
  await service.load(certificate());
  expect(await get(CERTIFICATE.sha256, other)).toEqual(FOUND);
  await service.load({ kind: 'certificate', sha256: CERTIFICATE.sha256, deleted: true });
  expect(await get(CERTIFICATE.sha256, other)).toEqual(NOT_FOUND);
});

it('hides the certificate when its report is past the retention', async () => {
  const late = await open(service, personal('late'), plan('late', { dataRetentionDays: 10 }));
  await service.load(certificate(), { ...observation('late'), date: '2026-05-10T00:00:00Z' });
  expect(await get(CERTIFICATE.sha256, late)).toEqual(FOUND);
  await service.load({ ...observation('late'), date: '2026-05-09T23:59:59Z' });
  expect(await get(CERTIFICATE.sha256, late)).toEqual(NOT_FOUND);
});

it('finds the certificate of a report that is dated ahead, until the end of tomorrow', async () => {
  const ahead = await open(service, personal('ahead'), plan('ahead'));
  await service.load(certificate(), { ...observation('ahead'), date: '2026-05-21T23:59:59Z' });
  expect(await get(CERTIFICATE.sha256, ahead)).toEqual(FOUND);
});

it('finds the certificate by its hash in any case, even if the report has it in upper case', async () => {
  const sha256 = CERTIFICATE.sha256.toUpperCase();
  await service.load(certificate(), report('ada', 'certificate_transparency', 'capitals', { sha256 }));
  expect(await get(CERTIFICATE.sha256)).toEqual(FOUND);
  expect(await get(sha256)).toEqual(FOUND);
});

it('returns 404 to another account, even with the right hash', async () => {
  const other = await open(service, personal('bob'), plan('bob'));
  expect(await get(CERTIFICATE.sha256, other)).toEqual(NOT_FOUND);
  await service.load(report('bob', 'certificate_transparency', 'x', { sha256Spki: CERTIFICATE.sha256 }));
  expect(await get(CERTIFICATE.sha256, other)).toEqual(NOT_FOUND);
});

it.each([
  'x',
  '0'.repeat(63),
  '0'.repeat(65),
  'g'.repeat(64),
  `${'0'.repeat(63)}%00`,
  `${'0'.repeat(62)}%zz`,
  `0x${'0'.repeat(62)}`,
  `${'0'.repeat(64)}%0A`,
  `${'0'.repeat(63)}٠`,
  '0'.repeat(5000),
])('returns 400 for the invalid hash %s', async sha256 => {
  expect(await get(sha256)).toEqual([400, '{"error":"Invalid value for parameter: sha256"}']);
});
