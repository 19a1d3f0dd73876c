import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Dimension } from '../report/dimensions.ts';
import type { FilterValues } from '../report/filter.ts';

/** The reports that are grouped. */
export interface GroupedReports {
  account: AccountId;
  type: ReportType;
  /** The first instant and the end (exclusive), in ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Excludes reports that match any of these. */
  not: FilterValues;
}

export type GroupOrder = 'COUNT' | 'REPORTS' | 'LAST_SEEN' | 'FIRST_SEEN' | 'KEY';

export interface Grouping {
  /** Also returns the days of each group, as bits. It must then be the only grouping. */
  withDayBits?: true;
  /** One to three dimensions. */
  by: readonly Dimension[];
  orderBy: GroupOrder;
  /** Only groups whose first report of the period is not before this ISO 8601 instant. */
  since?: string;
  /** Only groups that begin with these values: a list for each of the first dimensions, with a value per group. */
  only?: readonly (readonly string[])[];
  /** The maximum number of groups in the result. */
  first: number;
}

/** Common table expressions, and a select for each grouping. */
export interface Parts {
  tables: string[];
  answers: string[];
}
