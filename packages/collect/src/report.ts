/** A report of a browser, as far as a collector has to know it. */
export interface ReadReport {
  /** As the feed calls it, such as `csp`. */
  readonly type: string;
  /** The address of the page, or of the request. */
  readonly page: string;
  /** The address or the keyword of what was blocked; '' for nothing. */
  readonly blocked: string;
  /** Its class: `extension`, `browser`, `inline`, `eval` or another. */
  readonly source: string;
}

/** The importer's own, so that nothing comes into the spool that it would not take. */
export interface ReportReader {
  /** Levels of JSON that are read. */
  readonly maxDepth: number;
  /** `unkept` for a type without a place in the read model, `unknown` for what is no report. */
  read(value: unknown): ReadReport | 'unkept' | 'unknown';
}

/** An account's own filters. */
export interface AccountFilters {
  /** Percent of reports that are kept, by type; `wizard` for those of a wizard. */
  readonly sampling: Readonly<Record<string, number>>;
  drops(report: ReadReport): boolean;
  /** The report without what the account does not want to be kept. */
  rewrite(report: unknown): unknown;
}
