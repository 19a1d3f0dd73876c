import type { InsightScope } from '../../schema/insights/scope.ts';

export const DAY = 86_400;

/** The start of the period of `createScope`, in seconds since 1970. */
export const SINCE = Date.parse('2026-05-10T00:00:00Z') / 1000;

/** A scope whose statements return these rows, one after the other. */
export function createScope(...answers: (readonly object[])[]): InsightScope {
  let asked = 0;
  const queryTenant = async () => {
    const rows = answers[asked++] ?? [];
    return { objects: () => rows, objectsInTurns: async () => rows };
  };
  return {
    account: { id: 'ada', plan: { dataRetentionDays: 90 } },
    database: { queryTenant },
    now: new Date('2026-05-20T00:00:00Z'),
    since: new Date(SINCE * 1000),
    until: new Date('2026-05-20T00:00:00Z'),
  } as unknown as InsightScope;
}
