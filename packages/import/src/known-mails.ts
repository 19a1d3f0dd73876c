import { createHash } from 'node:crypto';
import type { Content } from './content.ts';
import type { Finding } from './finding.ts';
import type { ImportOptions, Item, Knowing } from './item.ts';

/** To count up when the same mail gives other records than before, so that all are read again. */
const READER = 2;

/** Bytes up to which a mail or an attachment is known by its digest, and bytes of that. */
const LONGEST = 1024 * 1024;
const DIGEST = 16;

/** Reports that are the same whenever and wherever their mail is read. */
const BY_MAIL: ReadonlySet<string> = new Set(['dmarc', 'tls_rpt']);

type Findings = AsyncGenerator<Finding[]>;

/** Mails and attachments that were imported before, and those that this import reads. */
export class KnownMails implements Knowing {
  /** The number of records of each mail, by its digest in base64. */
  readonly read = new Map<string, number>();
  #known: ReadonlyMap<string, number>;
  #reading: string;

  /** @param known how many records each has, by digest */
  constructor(
    options: Pick<ImportOptions, 'format' | 'action' | 'stripQuery' | 'bounds'>,
    known: ReadonlyMap<string, number>,
  ) {
    this.#known = known;
    const { format, action, stripQuery, bounds } = options;
    this.#reading = JSON.stringify([READER, format, action, stripQuery, bounds]);
  }

  /** Reads the item, unless it is known. An item that was not read whole is read and told again. */
  async *unlessKnown(item: Item, read: (item: Item) => Findings): Findings {
    const begin = await start(item.content);
    const content = begin.isWhole ? only(begin.parts) : joined(begin.parts, begin.rest);
    const digest = begin.isWhole ? this.#digestOf(item, begin.parts) : undefined;
    const records = digest === undefined ? undefined : this.#known.get(digest);
    if (records !== undefined) {
      yield [{ kind: 'known', records }];
      return;
    }
    let found: number | undefined = 0;
    for await (const findings of read({ ...item, content })) {
      found = countOf(findings, found);
      yield findings;
    }
    if (digest !== undefined && found) this.read.set(digest, found);
  }

  /** The digest of everything that its records are made of. */
  #digestOf({ name, nesting }: Item, parts: readonly Uint8Array[]): string {
    const isPart = nesting.mime > 0;
    const hash = createHash('sha256').update(
      JSON.stringify([this.#reading, isPart ? name : '', nesting.reportDomain]),
    );
    for (const part of parts) hash.update(part);
    return hash.digest().subarray(0, DIGEST).toString('base64');
  }
}

/** Undefined where anything was found that another reading may find otherwise. */
function countOf(findings: readonly Finding[], before: number | undefined): number | undefined {
  let count = before;
  for (const finding of findings) {
    const isSure = finding.kind === 'known' || (finding.kind === 'line' && BY_MAIL.has(finding.type));
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

async function* joined(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Content {
  try {
    yield* parts;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
