import type { Account } from '../sql/account.ts';
import type { Database } from '../sql/client.ts';
import type { ReportGroups } from '../sql/report-groups.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { Kept } from './kept.ts';
import type { Loaders } from './loaders.ts';
import type { Sign } from './sign.ts';

/** The context of a request's resolvers. */
export interface Context {
  /** The caller's account; null for an internal token, which asks for accounts by id. */
  account: Account | null;
  database: Database;
  load: Loaders;
  /** One instant for the whole request. */
  now: Date;
  /** Groups of reports that were asked for before; undefined where none are kept. */
  keptGroups?: Kept<ReportGroups> | undefined;
  /** The same of signs. */
  keptSigns?: Kept<Sign[]> | undefined;
  /** The number of report records at which a result is capped. */
  reportsResultCap: number;
  /** The most bytes of a list of reports; as a service has them, when left out. */
  longestAnswer?: number | undefined;
  /** The budget that lists share; undefined where there is but one. */
  budget?: AnswerBudget | undefined;
  /** True on `/v1`, where no list shows a field that `/graphql` and `/export` alone have. */
  isPlain?: boolean | undefined;
}

/** The account behind the key. Under `/v1` there always is one. */
export function ownAccount({ account }: Context): Account {
  if (!account) throw new Error('a field of an account was asked for without one');
  return account;
}
