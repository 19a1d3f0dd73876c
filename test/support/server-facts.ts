import type { ServerFacts } from '../../sql/operator/examination.ts';

/** The facts of a server without faults. */
export const FACTS: ServerFacts = {
  version: '17.4',
  versionNumber: 170_004,
  database: 'reports',
  encoding: 'UTF8',
  login: 'web',
  isSuperuser: false,
  isEncrypted: true,
  off: [],
  clock: 10_000,
};
