import type { CheckOutcomesFragment, CheckOverviewQuery, CheckReplayQuery } from '../documents.generated.ts';

export type Overview = NonNullable<CheckOverviewQuery['viewer']>;

export type ReplayAnswer = NonNullable<NonNullable<CheckReplayQuery['viewer']>['policyReplay']>;

export type ReplayedEffect = CheckOutcomesFragment['effects'][number];
