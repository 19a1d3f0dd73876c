import { createHash } from 'node:crypto';
import { MS_PER_HOUR } from '@sightline/reports';
import type { DemoAccount } from '../accounts.ts';
import { timestamp } from '../calendar.ts';
import { type CertificateSeries, newestAt } from '../certificate-series.ts';
import type { Random } from '../random.ts';
import type { ReportFields, Scene } from './scene.ts';

const LOGS = ['Example Argon 2026h2', 'Example Xenon 2027h1', 'Harbour Oak 2026', 'Nordlys Elm 2027'].map(
  name => ({
    name,
    logId: createHash('sha256').update(name).digest('base64'),
  }),
);

function certificateTransparency({ account, random, time, isLast }: Scene): ReportFields {
  const permanentCertificate = isLast ? account.permanentCertificate : undefined;
  const { record, issued } =
    permanentCertificate ?? random.pick(newestAt(seriesAt(account, time, random), time));
  const first = random.integer(0, LOGS.length - 2);
  const logs = LOGS.slice(first, first + random.integer(1, 2)).map((log, index) => ({
    ...log,
    timestamp: timestamp(Math.min(issued + (index + 1) * MS_PER_HOUR, time)),
  }));
  return { raw: JSON.stringify({ certificate: record, logs }), count: 1, ...record, logs };
}

/** One of the account's own certificates or, once it has been issued, the one that it did not request. */
function seriesAt({ certificates, unordered }: DemoAccount, time: number, random: Random): CertificateSeries {
  const isIssued = unordered !== undefined && time >= unordered.renewals[0]![0]!.issued;
  return isIssued && random.chance(0.5) ? unordered : random.pick(certificates);
}

/** The generators of these reports, by type. */
export const TRANSPARENCY = { certificate_transparency: certificateTransparency };
