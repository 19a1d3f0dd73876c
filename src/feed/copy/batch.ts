import type { EncodedReport, FeedLine, FeedRecord } from '@sightline/feed';
import { RECORDS, type RecordKind } from '@sightline/feed';
import { CopyRows, textCell } from '@sightline/feed/copy';
import type { SourceLine } from '@sightline/feed/read';
import { removeDeletedAccounts, touchHoldersOfCertificates } from '../../../sql/feed/accounts.ts';
import { noteBeginning } from '../../../sql/feed/derived-findings.ts';
import type { UnchangedCounts } from '../../../sql/feed/existing-reports.ts';
import type { Month } from '../../../sql/feed/partitions.ts';
import { nextPosition } from '../../../sql/feed/position.ts';
import {
  removeFindings,
  replace,
  type StoredRecords,
  stage,
  takeOutRepeated,
  takeOutTakenDigests,
  touchFormerHolders,
  touchOwners,
  upsert,
} from '../../../sql/feed/records.ts';
import { mergeReports } from '../../../sql/feed/reports.ts';
import type { LoadSession } from '../../../sql/feed/session.ts';
import type { LoadMonths } from './months.ts';

/** The maximum number of lines, and of characters in their rows, per batch sent to the database. */
const MOST_LINES = 25_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Smaller batches are sent only at the end, since each batch has a fixed cost. */
const LEAST_LINES = 2000;

/**
 * Lines that are merged together. A later line replaces an earlier one with the same key, so each key occurs once.
 * Removals of accounts and watches affect earlier lines but not later ones, and therefore get separate batches.
 */
export class Batch {
  /** Reports to store and to delete. */
  reports = new CopyRows();
  deletedReports = new CopyRows();
  /** The months of the reports. */
  months = new Set<Month>();
  records = new Map<RecordKind, CopyRows>();
  /** Replaced lines: by type for reports, otherwise by kind. */
  superseded = new Map<string, number>();
  /** Accounts that own any of the records. */
  owners = new Set<string>();
  #origins = new Map<string, SourceLine>();
  #removes = false;
  #lines = 0;
  #characters = 0;

  /** Checks whether the line can join the batch. */
  accepts(line: FeedLine): boolean {
    if (this.#lines >= MOST_LINES || this.#characters >= MOST_CHARACTERS) return false;
    return this.#lines === 0 || this.#removes === removesOthers(line);
  }

  /** True if the batch is large enough to send while the database is idle. */
  get isWorthwhile(): boolean {
    return this.#lines >= LEAST_LINES;
  }

  add(line: FeedLine, origin: SourceLine): void {
    this.#removes = removesOthers(line);
    this.#lines++;
    this.#characters += line.row.length;
    if (line.kind === 'apiKey') this.#origins.set(line.key, origin);
    if (line.kind === 'report') this.#addReport(line);
    else this.#addRecord(line);
  }

  /** Returns the line with the key of this id. */
  originOfKey(id: string): SourceLine {
    return this.#origins.get(textCell(id))!;
  }

  #addReport({ key, accountId, deleted, row, month }: EncodedReport): void {
    if (!deleted) this.owners.add(accountId);
    const [into, outOf] = deleted ? [this.deletedReports, this.reports] : [this.reports, this.deletedReports];
    outOf.delete(key);
    // The type precedes the first tab. A second deletion of a report is not counted as a record.
    if (into.set(key, row, accountId) && !deleted) this.#supersede(key.slice(0, key.indexOf('\t')));
    if (month !== undefined) this.months.add(month);
  }

  #addRecord({ kind, key, accountId, deleted, row }: FeedRecord): void {
    if (accountId !== undefined && !deleted && kind !== 'account') this.owners.add(accountId);
    const rows = this.records.get(kind) ?? new CopyRows();
    this.records.set(kind, rows);
    if (rows.set(key, `${this.#lines}\t${row}`)) this.#supersede(kind);
  }

  #supersede(of: string): void {
    this.superseded.set(of, (this.superseded.get(of) ?? 0) + 1);
  }
}

function removesOthers(line: FeedLine): boolean {
  return line.kind !== 'report' && line.deleted && (line.kind === 'account' || line.kind === 'watch');
}

/** The result of merging a batch. */
interface BatchResult extends UnchangedCounts {
  /** Lines that were left out because the digest of their key belongs to another key. */
  refused: SourceLine[];
}

/** Merges batches into the tables, in order. */
export class Merger {
  /** Number of loaded reports that `prune` will remove because of their age. */
  expiring = 0;
  #session: LoadSession;
  #months: LoadMonths;

  constructor(session: LoadSession, months: LoadMonths) {
    this.#session = session;
    this.#months = months;
  }

  async merge(batch: Batch): Promise<BatchResult> {
    const { records, owners } = batch;
    const session = this.#session;
    await nextPosition(session);
    for (const owner of owners) session.owners.add(owner);
    let refused: string[] = [];
    const repeated = new Map<string, number>();
    for (const [kind, rows] of records) {
      const { table } = RECORDS[kind];
      await stage(session, table, rows.pieces());
      if (kind === 'apiKey') refused = await takeOutTakenDigests(session);
      const stored = await takeOutRepeated(session, table);
      repeated.set(kind, stored.repeated);
      await this.#mergeKind(kind, stored);
    }
    const hasReports = batch.reports.size + batch.deletedReports.size > 0;
    const reports = hasReports ? await this.#mergeReports(batch) : { repeated: [], pastRetention: [] };
    return {
      refused: refused.map(id => batch.originOfKey(id)),
      repeated: new Map([...repeated, ...reports.repeated]),
      pastRetention: new Map(reports.pastRetention),
    };
  }

  async #mergeKind(kind: RecordKind, stored: StoredRecords): Promise<void> {
    const session = this.#session;
    const { table } = RECORDS[kind];
    await touchOwners(session, table, stored);
    if (kind === 'apiKey') await touchFormerHolders(session);
    if (kind === 'watch') return this.#mergeWatches(stored);
    if (kind === 'certificate') await touchHoldersOfCertificates(session);
    if (kind !== 'account') return replace(session, table, stored);
    await upsert(session, table);
    await removeDeletedAccounts(session);
  }

  async #mergeWatches(stored: StoredRecords): Promise<void> {
    const session = this.#session;
    await removeFindings(session);
    await noteBeginning(session);
    await replace(session, RECORDS.watch.table, stored);
  }

  async #mergeReports({ months, reports, deletedReports }: Batch): Promise<UnchangedCounts> {
    const session = this.#session;
    await this.#months.make(session, months);
    const { expiring, ...unchanged } = await mergeReports(session, reports, deletedReports);
    this.expiring += expiring;
    return unchanged;
  }
}
