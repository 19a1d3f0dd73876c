import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Dimension } from '../report/dimensions.ts';
import type { FilterValues } from '../report/filter.ts';

/** The reports that are grouped. */
export interface GroupedReports {
  account: AccountId;
  type: ReportType;
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Reports that match any of these are left out. */
  not: FilterValues;
}

export type GroupOrder = 'COUNT' | 'REPORTS' | 'LAST_SEEN' | 'FIRST_SEEN' | 'KEY';

export interface Grouping {
  /** Asks for the days of each group, too, as bits. A grouping that does is asked for alone. */
  withDayBits?: true;
  /** One to three. */
  by: readonly Dimension[];
  orderBy: GroupOrder;
  /** Only groups whose first report of the period came then, or later: an instant, ISO 8601. */
  since?: string;
  /** Groups that are answered with at most. */
  first: number;
}

/** Common tables, and a select for each grouping. */
export interface Parts {
  tables: string[];
  answers: string[];
}
