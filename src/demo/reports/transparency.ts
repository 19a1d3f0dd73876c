import { createHash } from 'node:crypto';
import { HOUR, timestamp } from '../calendar.ts';
import { newestAt } from '../certificate-series.ts';
import type { ReportFields, Scene } from './scene.ts';

const LOGS = ['Example Argon 2026h2', 'Example Xenon 2027h1', 'Harbour Oak 2026', 'Nordlys Elm 2027'].map(
  name => ({
    name,
    logId: createHash('sha256').update(name).digest('base64'),
  }),
);

export function certificateTransparency({ account, random, time }: Scene): ReportFields {
  const { record, issued } = random.pick(newestAt(random.pick(account.certificates), time));
  const first = random.integer(0, LOGS.length - 2);
  const logs = LOGS.slice(first, first + random.integer(1, 2)).map((log, index) => ({
    ...log,
    timestamp: timestamp(Math.min(issued + (index + 1) * HOUR, time)),
  }));
  return { raw: JSON.stringify({ certificate: record, logs }), count: 1, ...record, logs };
}
