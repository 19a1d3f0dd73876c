import type {
  CheckHostBrowsersQuery,
  CheckOutcomesFragment,
  CheckOverviewQuery,
  CheckReplayQuery,
} from '../documents.generated.ts';

export type BrowsersAnswer = NonNullable<CheckHostBrowsersQuery['viewer']>;

export type Overview = NonNullable<CheckOverviewQuery['viewer']>;

export type ReplayAnswer = NonNullable<NonNullable<CheckReplayQuery['viewer']>['policyReplay']>;

export type ReplayedEffect = CheckOutcomesFragment['effects'][number];
