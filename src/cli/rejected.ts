import { hash } from 'node:crypto';
import type { ImportOptions, Skipped } from '@sightline/importer';
import { isReportType, type ReportType } from '@sightline/reports';
import { countRejected } from '../../sql/feed/rejected-reports.ts';
import type { LoadSession } from '../../sql/feed/session.ts';

/** The maximum number of rejected reports that an import counts. */
const MOST = 100_000;

/** Length of a digest in bytes. */
const DIGEST = 16;

/** The reports that an import rejects, if their account and type are known. Each is counted once. */
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

  /** Adds a line that the load refused. */
  addLine(line: Buffer): void {
    const { account, type, id } = getSubject(line);
    if (account !== '' && isReportType(type)) this.#note(account, type, id);
  }

  async count(session: LoadSession): Promise<void> {
    // A collector reports its own sums, which would replace these.
    if (this.#options.format === 'collected') return;
    for (const [account, rejected] of this.#found) await countRejected(session, account, rejected);
  }

  #note(account: string, type: ReportType, id: string): void {
    if (this.#size === MOST) return;
    const digests = this.#found.get(account) ?? new Map();
    this.#found.set(account, digests);
    const digest = computeDigest(type, id);
    if (digests.has(digest)) return;
    digests.set(digest, type);
    this.#size++;
  }
}

/** The account, type and id of an import's line. They come first, because a long line can be truncated. */
export function getSubject(line: Buffer): { account: string; type: string; id: string } {
  const [, account = '""', type = '', id = ''] =
    /"accountId":("(?:[^"\\]|\\.)*"),"type":"(\w+)","id":"([\w-]+)"/.exec(line.toString('utf8', 0, 2048)) ??
    [];
  return { account: JSON.parse(account), type, id };
}

function computeDigest(type: ReportType, id: string): string {
  return hash('sha256', JSON.stringify(['rejected', type, id]), 'buffer')
    .subarray(0, DIGEST)
    .toString('base64');
}
