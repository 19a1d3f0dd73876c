import { removeDeletedAccounts, touch, touchHoldersOfCertificates } from '../../../sql/feed/accounts.ts';
import type { Month } from '../../../sql/feed/partitions.ts';
import { nextPosition } from '../../../sql/feed/position.ts';
import {
  removeFindings,
  replace,
  stage,
  takeOutTakenDigests,
  touchFormerHolders,
  upsert,
} from '../../../sql/feed/records.ts';
import { mergeReports } from '../../../sql/feed/reports.ts';
import type { LoadSession } from '../../../sql/feed/session.ts';
import type { FeedLine, FeedRecord } from '../check/line.ts';
import { RECORDS, type RecordKind } from '../check/records.ts';
import type { EncodedReport } from '../check/reports.ts';
import type { SourceLine } from '../read/lines.ts';
import type { LoadMonths } from './months.ts';
import { CopyRows } from './rows.ts';
import { textCell } from './text.ts';

/** Lines, or characters of their rows, that go to the database at once. */
const MOST_LINES = 25_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Fewer lines go only where no more come: each batch has a price of its own. */
const LEAST_LINES = 2000;

/**
 * Lines that are merged together. A later one takes the place of an earlier one with the same key, so each key is
 * there once. Removing an account or a watch takes away what came before it, and not what comes after, so such
 * removals stand in batches of their own.
 */
export class Batch {
  /** Reports, and those that are deleted. */
  reports = new CopyRows('latin1');
  deletedReports = new CopyRows('latin1');
  /** The months of the reports. */
  months = new Set<Month>();
  records = new Map<RecordKind, CopyRows>();
  /** Accounts that are touched, and whether by something that belongs to them. */
  touched = new Map<string, boolean>();
  #origins = new Map<string, SourceLine>();
  #removes = false;
  #lines = 0;
  #characters = 0;

  /** Whether the line can go with those that are there. */
  accepts(line: FeedLine): boolean {
    if (this.#lines >= MOST_LINES || this.#characters >= MOST_CHARACTERS) return false;
    return this.#lines === 0 || this.#removes === removesOthers(line);
  }

  /** Whether it need not wait for more lines, where the database has nothing to do. */
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

  /** Where the key with this id came from. */
  originOfKey(id: string): SourceLine {
    return this.#origins.get(textCell(id))!;
  }

  #addReport({ key, accountId, deleted, row, head, month }: EncodedReport): void {
    this.#touch(accountId, !deleted);
    const [into, outOf] = deleted ? [this.deletedReports, this.reports] : [this.reports, this.deletedReports];
    outOf.delete(key);
    into.set(key, row, accountId, head);
    if (month !== undefined) this.months.add(month);
  }

  #addRecord({ kind, key, accountId, deleted, row }: FeedRecord): void {
    if (accountId !== undefined) this.#touch(accountId, !deleted && kind !== 'account');
    const rows = this.records.get(kind) ?? new CopyRows('utf8');
    this.records.set(kind, rows);
    rows.set(key, row);
  }

  #touch(accountId: string, owns: boolean): void {
    if (owns || !this.touched.has(accountId)) this.touched.set(accountId, owns);
  }
}

function removesOthers(line: FeedLine): boolean {
  return line.kind !== 'report' && line.deleted && (line.kind === 'account' || line.kind === 'watch');
}

/** Merges batches into the tables, in the order in which they come. */
export class Merger {
  #session: LoadSession;
  #months: LoadMonths;

  constructor(session: LoadSession, months: LoadMonths) {
    this.#session = session;
    this.#months = months;
  }

  /** Answers with the lines of keys whose digest another key has: these were left out. */
  async merge(batch: Batch): Promise<SourceLine[]> {
    const { records, touched } = batch;
    const session = this.#session;
    await nextPosition(session);
    await touch(session, touched);
    let refused: string[] = [];
    for (const [kind, rows] of records) {
      await stage(session, RECORDS[kind].table, rows.pieces());
      if (kind === 'apiKey') refused = await takeOutTakenDigests(session);
      await this.#mergeKind(kind);
    }
    if (batch.reports.size + batch.deletedReports.size > 0) await this.#mergeReports(batch);
    return refused.map(id => batch.originOfKey(id));
  }

  async #mergeKind(kind: RecordKind): Promise<void> {
    const session = this.#session;
    const { table } = RECORDS[kind];
    if (kind === 'apiKey') await touchFormerHolders(session);
    if (kind === 'watch') await removeFindings(session);
    if (kind === 'certificate') await touchHoldersOfCertificates(session);
    if (kind !== 'account') return replace(session, table);
    await upsert(session, table);
    await removeDeletedAccounts(session);
  }

  async #mergeReports({ months, reports, deletedReports }: Batch): Promise<void> {
    const session = this.#session;
    await this.#months.make(session, months);
    await mergeReports(session, reports, deletedReports);
  }
}
