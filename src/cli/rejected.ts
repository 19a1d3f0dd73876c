import { hash } from 'node:crypto';
import type { Skipped } from '@sightline/import/finding';
import type { ImportOptions } from '@sightline/import/item';
import { isReportType, type ReportType } from '@sightline/reports';
import { countRejected } from '../../sql/feed/rejected-reports.ts';
import type { LoadSession } from '../../sql/feed/session.ts';

/** Reports of an import that are counted as rejected: those behind them are not, with each import. */
const MOST = 100_000;

/** Bytes of a digest. */
const DIGEST = 16;

/** The reports that an import leaves out, of known accounts and types: each once, wherever it is found. */
export class RejectedReports {
  #options: Pick<ImportOptions, 'accountId' | 'format'>;
  /** For each account, types by digest. */
  #found = new Map<string, Map<string, ReportType>>();
  #size = 0;

  constructor(options: Pick<ImportOptions, 'accountId' | 'format'>) {
    this.#options = options;
  }

  add({ rejected }: Skipped): void {
    if (!rejected) return;
    const { accountId } = this.#options;
    const accounts = rejected.accounts ?? (accountId === undefined ? [] : [accountId]);
    for (const account of accounts) this.#note(account, rejected.type, rejected.id);
  }

  /** Adds a line of the import that the load has refused. */
  addLine(line: Buffer): void {
    const { account, type, id } = subjectOf(line);
    if (account !== '' && isReportType(type)) this.#note(account, type, id);
  }

  async count(session: LoadSession): Promise<void> {
    // A collector tells its own sums, which would take the place of these.
    if (this.#options.format === 'collected') return;
    for (const [account, rejected] of this.#found) await countRejected(session, account, rejected);
  }

  #note(account: string, type: ReportType, id: string): void {
    if (this.#size === MOST) return;
    const digests = this.#found.get(account) ?? new Map();
    this.#found.set(account, digests);
    const digest = digestOf(type, id);
    if (digests.has(digest)) return;
    digests.set(digest, type);
    this.#size++;
  }
}

/** The account, type and id of an import's line. They stand at its begin, since a long one may be cut. */
export function subjectOf(line: Buffer): { account: string; type: string; id: string } {
  const [, account = '""', type = '', id = ''] =
    /"accountId":("(?:[^"\\]|\\.)*"),"type":"(\w+)","id":"([\w-]+)"/.exec(line.toString('utf8', 0, 2048)) ??
    [];
  return { account: JSON.parse(account), type, id };
}

function digestOf(type: ReportType, id: string): string {
  return hash('sha256', JSON.stringify(['rejected', type, id]), 'buffer')
    .subarray(0, DIGEST)
    .toString('base64');
}
