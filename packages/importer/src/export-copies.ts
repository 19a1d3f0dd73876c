import { SeenIds } from './seen-ids.ts';

/** Ids of report rows from earlier imports, which an export from another tool can repeat. */
export interface SeenCopies {
  has(id: string): boolean;
  add(id: string): void;
}

/** Maximum number of remembered ids. In longer imports, later copies count as separate reports. */
const MOST_IDS = 1_000_000;

/**
 * Detects rows that were imported both from a report and from another tool's export of that report. Their ids differ,
 * because parsedmarc shortens the reporter's host name to its domain and cuts the report id at its "@".
 */
export class ExportCopies {
  /** The ids that the imported rows would have in an export. */
  #ofReports = new SeenIds(MOST_IDS);
  #ofExports = new SeenIds(MOST_IDS);
  /** The ids from earlier imports. */
  seen: SeenCopies | undefined;

  /** Records a row of a report. Returns true if an export may have added a copy, which must then be removed. */
  addReport(copyId: string): boolean {
    this.#ofReports.add(copyId);
    this.seen?.add(copyId);
    return this.seen !== undefined || this.#ofExports.has(copyId);
  }

  /** Records a row of an export. Returns true if the same row was already imported from a report. */
  addExport(id: string): boolean {
    if (this.#ofReports.has(id) || this.seen?.has(id)) return true;
    this.#ofExports.add(id);
    return false;
  }
}
