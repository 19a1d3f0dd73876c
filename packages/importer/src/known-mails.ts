import { createHash } from 'node:crypto';
import { isMailReportType } from '@sightline/reports';
import type { Content } from './content.ts';
import type { SeenCopies } from './export-copies.ts';
import { type ParseResult, toSkipped } from './finding.ts';
import type { ImportHistory, ImportOptions, Item } from './item.ts';
import { BudgetExceeded } from './resource-budget.ts';
import { Unreadable } from './unreadable.ts';

/** Increment this when a mail yields other records than before, so that all mails are read again. */
const READER = 3;

/** Maximum size of a mail or attachment that is identified by its digest, and length of the digest, in bytes. */
const LONGEST = 1024 * 1024;
const DIGEST = 16;

/** Stored instead of the number of records if the mail exceeded its budget. */
const GIVEN_UP = -1;

type Findings = AsyncGenerator<ParseResult[]>;

/** The mails and attachments imported so far, by earlier imports and this one. */
export class KnownMails implements ImportHistory, SeenCopies {
  /** The number of records of each mail, by its digest in base64; negative for a mail that exceeded its budget. */
  readonly read = new Map<string, number>();
  #cache: ReadonlyMap<string, number>;
  #reading: string;

  /** @param seen number of records by digest */
  constructor(
    options: Pick<ImportOptions, 'format' | 'action' | 'stripQuery' | 'bounds'>,
    seen: ReadonlyMap<string, number>,
  ) {
    this.#cache = seen;
    this.#reading = describeReading(options);
  }

  has(id: string): boolean {
    return this.#cache.has(copyDigest(id));
  }

  add(id: string): void {
    this.read.set(copyDigest(id), 1);
  }

  /** Reads the item unless it was imported before. An item that was not read completely is read and reported again. */
  async *unlessKnown(item: Item, read: (item: Item) => Findings): Findings {
    const begin = await start(item.content);
    const content = begin.isWhole ? only(begin.parts) : joinContent(begin.parts, begin.rest);
    const digest = begin.isWhole ? this.#computeDigest(item, begin.parts) : undefined;
    const records = digest === undefined ? undefined : this.#cache.get(digest);
    if (records === GIVEN_UP) {
      yield [
        toSkipped(item.place, new Unreadable('was abandoned by an earlier import, and is not read again')),
      ];
      return;
    }
    if (records !== undefined) {
      yield [{ kind: 'known', records }];
      return;
    }
    let found: number | undefined = 0;
    try {
      for await (const findings of read({ ...item, content })) {
        found = countMails(findings, found);
        yield findings;
      }
    } catch (error) {
      // An attachment may fit into the budget of another mail.
      if (error instanceof BudgetExceeded && digest !== undefined && item.nesting.mime === 0)
        this.read.set(digest, GIVEN_UP);
      throw error;
    }
    if (digest !== undefined && found) this.read.set(digest, found);
  }

  /** Returns the digest of everything that determines the records. */
  #computeDigest({ name, nesting }: Item, parts: readonly Uint8Array[]): string {
    const isPart = nesting.mime > 0;
    const hash = createHash('sha256').update(
      JSON.stringify([this.#reading, isPart ? name : domainIn(name), nesting.reportDomain]),
    );
    for (const part of parts) hash.update(part);
    return hash.digest().subarray(0, DIGEST).toString('base64');
  }
}

/** Describes the settings that determine the records of a mail, in addition to its bytes. */
export function describeReading({
  format,
  action,
  stripQuery,
  bounds,
}: Pick<ImportOptions, 'format' | 'action' | 'stripQuery' | 'bounds'>): string {
  return JSON.stringify([READER, format, action, stripQuery, bounds]);
}

/** Returns the domain in the name of a TLS report's file (RFC 8460, section 5.1), or ''. */
function domainIn(name: string): string {
  return /^[^!]*!([^!]+)!/.exec(name)?.[1] ?? '';
}

/** Returns the digest under which the id of a copy is recorded, like those of mails. */
function copyDigest(id: string): string {
  return createHash('sha256').update(`copy ${id}`).digest().subarray(0, DIGEST).toString('base64');
}

/** Counts the records of a mail. Returns undefined if reading the mail again could yield other records. */
function countMails(findings: readonly ParseResult[], before: number | undefined): number | undefined {
  let count = before;
  for (const finding of findings) {
    // The records of mail reports depend only on the mail.
    const isSure = finding.kind === 'known' || (finding.kind === 'line' && isMailReportType(finding.type));
    if (!isSure || count === undefined) return undefined;
    count += finding.kind === 'known' ? finding.records : 1;
  }
  return count;
}

interface Begin {
  parts: Uint8Array[];
  isWhole: boolean;
  rest: AsyncIterator<Uint8Array>;
}

async function start(content: Content): Promise<Begin> {
  const rest = content[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  for (let length = 0; length <= LONGEST; ) {
    const next = await rest.next();
    if (next.done) return { parts, isWhole: true, rest };
    parts.push(next.value);
    length += next.value.length;
  }
  return { parts, isWhole: false, rest };
}

async function* only(parts: readonly Uint8Array[]): Content {
  yield* parts;
}

async function* joinContent(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Content {
  try {
    yield* parts;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
