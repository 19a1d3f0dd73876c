import type { Account } from '../sql/account.ts';
import type { Database } from '../sql/client.ts';
import type { ReportGroups } from '../sql/report-groups.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { FoundInsights } from './insight.ts';
import type { Loaders } from './loaders.ts';

/** The context that a request's resolvers share. */
export interface Context {
  /** The caller's account, or null for an internal token, which requests accounts by id. */
  account: Account | null;
  database: Database;
  load: Loaders;
  /** The time of the request, read once. */
  now: Date;
  /** The cache of grouped reports; undefined if it is disabled. */
  groupCache?: AnswerCache<ReportGroups> | undefined;
  /** Cached insights. */
  insightCache?: AnswerCache<FoundInsights> | undefined;
  /** The maximum number of report records in a result. */
  reportsResultCap: number;
  /** The maximum size of a list of reports in bytes. Defaults to the service's limit. */
  longestAnswer?: number | undefined;
  /** The budget shared by all lists; undefined if there is only one list. */
  budget?: AnswerBudget | undefined;
  /** True on `/v1`, whose records lack the fields of `/graphql` and `/export`. */
  isPlain?: boolean | undefined;
}

/** The account of the caller's key. It is always set on `/v1`. */
export function ownAccount({ account }: Context): Account {
  if (!account) throw new Error('a field of an account was requested without an account');
  return account;
}
