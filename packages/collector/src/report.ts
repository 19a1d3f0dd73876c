/** The fields of a browser report that a collector needs. */
export interface ReadReport {
  /** The type in the feed, such as `csp`. */
  readonly type: string;
  /** True if the report counts against the quota of the account's plan. */
  readonly usesQuota: boolean;
  /** The address of the page, or of the request. */
  readonly page: string;
  /**
   * Possible hosts of the page; empty if unknown. For `about:srcdoc` there can be several, because browsers do not
   * report the embedding page.
   */
  readonly hosts: readonly string[];
  /** The blocked address or keyword; '' if there is none. */
  readonly blocked: string;
  /** The source class of the blocked address: `extension`, `browser`, `inline`, `eval` or another. */
  readonly source: string;
}

/** Reads reports like the importer, so that the spool contains only reports that the importer accepts. */
export interface ReportReader {
  /** The maximum nesting of JSON. */
  readonly maxDepth: number;
  /**
   * Classifies a value: `unstored` for a type that is not stored, `unknown` for anything that is not a report.
   * @param account the account, whose reports of unknown types are limited
   */
  read(value: unknown, account: string): ReadReport | 'unstored' | 'unknown';
  /** Returns what it has counted, as a JSON value for the next process. */
  save(): unknown;
  /**
   * Restores the counts of an earlier process.
   * @param saved what its `save` returned, or undefined
   */
  restore(saved: unknown): void;
}

/** The filters of an account. */
export interface AccountFilters {
  /** Percentage of reports to store, by type; `wizard` for reports of the policy wizard. */
  readonly sampling: Readonly<Record<string, number>>;
  drops(report: ReadReport): boolean;
  /** Returns the report without the fields that the account does not store. */
  rewrite(report: unknown): unknown;
}
