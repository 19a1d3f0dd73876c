import type { InsightScope } from '../../schema/insights/scope.ts';

export const DAY = 86_400;

/** The start of the period of `createScope`, in seconds since 1970. */
export const SINCE = Date.parse('2026-05-10T00:00:00Z') / 1000;

type Answer = readonly object[];

/** A scope whose statements return these rows, one after the other, or those computed from their parameters. */
export function createScope(...answers: (Answer | ((parameters: unknown[]) => Answer))[]): InsightScope {
  let asked = 0;
  const queryTenant = async (_account: string, _text: string, parameters: unknown[]) => {
    const answer = answers[asked++] ?? [];
    const rows = typeof answer === 'function' ? answer(parameters) : answer;
    return { objects: () => rows, objectsInTurns: async () => rows };
  };
  return {
    account: {
      id: 'ada',
      plan: { dataRetentionDays: 90, status: 'active', features: { threatIntelligence: true } },
    },
    database: { queryTenant },
    now: new Date('2026-05-20T00:00:00Z'),
    since: new Date(SINCE * 1000),
    until: new Date('2026-05-20T00:00:00Z'),
  } as unknown as InsightScope;
}
