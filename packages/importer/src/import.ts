import { HEAD } from './bounds.ts';
import { readCertificates } from './certificates/read.ts';
import { DecompressedCounter } from './containers/decompressed.ts';
import { gunzip } from './containers/gzip.ts';
import { isFailureReport, type MailPart, readMail } from './containers/mail.ts';
import { mboxMails } from './containers/mbox.ts';
import { tarMembers } from './containers/tar.ts';
import { decodeTransferEncoding } from './containers/transfer-encoding.ts';
import { unzip, zipMembers } from './containers/zip.ts';
import { limitContent, peek } from './content.ts';
import { readDmarc } from './dmarc/dmarc.ts';
import { type ParseResult, toSkipped, toUnstored } from './finding.ts';
import { detectForm, type Form, unsupportedFormat } from './forms.ts';
import { contextOfItem, type ImportContext, type Item, type ItemContext, type Nesting } from './item.ts';
import { readJson } from './json/document.ts';
import { readLog } from './json/log.ts';
import { readCsv } from './parsedmarc-csv.ts';
import { identify } from './reports.ts';
import { BudgetExceeded } from './resource-budget.ts';
import { isAbort, toRejection, Unreadable } from './unreadable.ts';
import { unsupportedPart } from './unsupported.ts';

type Findings = AsyncGenerator<ParseResult[]>;
type Reader = (item: Item, context: ItemContext) => Findings;

const READERS: Readonly<Record<Form, Reader>> = {
  gzip: readGzip,
  zip: readZip,
  tar: readTar,
  mbox: readMbox,
  mail: readMailOnce,
  base64: readBase64,
  dmarc: readDmarc,
  certificates: readCertificates,
  json: readJson,
  csv: readCsv,
  log: readLog,
};

/** Number of results per batch. */
const AT_ONCE = 1000;

/** Maximum number of nested gzip and base64 layers. */
const MOST_LAYERS = 8;

/**
 * Converts an item in any format or container into lines of the feed. Does not use the network or the disk. Unreadable
 * parts are reported as skipped and never stop an import.
 */
export async function* importItem(item: Item, context: ImportContext): Findings {
  yield* readWithinBudget(readItem, item, context);
}

/** Reads a file, or a mail of a mailbox, within a budget that depends on its size. */
async function* readWithinBudget(read: Reader, item: Item, context: ImportContext): Findings {
  const own = contextOfItem(context);
  const { budget } = own;
  try {
    const content = budget.countContent(item.content);
    for await (const findings of budget.measureTime(readGuarded(read, { ...item, content }, own)))
      for (let start = 0; start < findings.length; start += AT_ONCE)
        yield findings.slice(start, start + AT_ONCE);
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    yield [toSkipped(item.place, error.cause)];
  }
}

/** Reads a nested item. */
function readInside(item: Item, context: ItemContext): Findings {
  return readGuarded(readItem, item, context);
}

/** Converts errors of an item to results, so that they do not affect other items. */
async function* readGuarded(read: Reader, item: Item, context: ItemContext): Findings {
  try {
    yield* read(item, context);
  } catch (error) {
    if (isAbort(error)) throw error;
    yield [toSkipped(item.place, error)];
  }
}

async function* readItem(item: Item, context: ItemContext): Findings {
  const { head, whole } = await peek(item.content, HEAD);
  if (head.length === 0) throw new Unreadable('is empty');
  const form = detectForm(head);
  if (!form) throw toUnsupportedError(head);
  const found = READERS[form]({ ...item, content: whole }, context);
  yield* form === 'dmarc' ? rejectable(found, head) : found;
}

function toUnsupportedError(head: Buffer): Unreadable {
  const format = unsupportedFormat(head);
  return format
    ? new Unreadable('is in an unsupported format', format)
    : new Unreadable('is in an unknown format');
}

/** Identifies an unreadable DMARC report by its first bytes, which are the same in every copy. */
async function* rejectable(found: Findings, head: Buffer): Findings {
  try {
    yield* found;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw toRejection(error, { type: 'dmarc', id: identify('rejected', head.toString('latin1')) });
  }
}

/** Creates a nested item. */
function inside(
  item: Item,
  place: string,
  content: Item['content'],
  nesting: Partial<Nesting>,
  name = '',
): Item {
  const { modified } = item;
  return { place, content, modified, name: name || item.name, nesting: { ...item.nesting, ...nesting } };
}

async function* readGzip(item: Item, context: ItemContext): Findings {
  const decompressed = decompressedIn(item, context);
  const content = gunzip(item.content, decompressed, context.bounds);
  yield* readInside(inside(item, item.place, content, { decompressed, layers: nextLayer(item) }), context);
}

async function* readBase64(item: Item, context: ItemContext): Findings {
  const content = decodeTransferEncoding(
    limitContent(item.content, context.bounds.compressed, 'is too large'),
    'base64',
  );
  yield* readInside(inside(item, item.place, content, { layers: nextLayer(item) }), context);
}

function nextLayer({ nesting }: Item): number {
  if (nesting.layers === MOST_LAYERS)
    throw new Unreadable('is nested too deeply', `over ${MOST_LAYERS} layers`);
  return nesting.layers + 1;
}

function decompressedIn({ nesting }: Item, { bounds, budget }: ItemContext): DecompressedCounter {
  return nesting.decompressed ?? new DecompressedCounter(bounds.decompressed, budget);
}

async function* readZip(item: Item, context: ItemContext): Findings {
  const { bounds } = context;
  const zips = nextArchive(item, context);
  const decompressed = decompressedIn(item, context);
  for await (const member of zipMembers(item.content, bounds)) {
    const content = unzip(member, decompressed);
    const place = `${item.place}, member ${member.name}`;
    yield* readInside(inside(item, place, content, { decompressed, zips }, member.name), context);
  }
}

/** Reads a tar archive. Its members can be compressed, so their decompressed bytes are counted together. */
async function* readTar(item: Item, context: ItemContext): Findings {
  const zips = nextArchive(item, context);
  const decompressed = decompressedIn(item, context);
  for await (const member of tarMembers(item.content, context.bounds)) {
    const place = `${item.place}, member ${member.name}`;
    yield* readInside(inside(item, place, member.content, { decompressed, zips }, member.name), context);
  }
}

function nextArchive({ nesting }: Item, { bounds }: ItemContext): number {
  if (nesting.zips > bounds.nestedZips)
    throw new Unreadable('is nested too deeply', `over ${bounds.nestedZips} archive in an archive`);
  return nesting.zips + 1;
}

async function* readMbox(item: Item, context: ItemContext): Findings {
  let number = 0;
  for await (const mail of mboxMails(item.content)) {
    const place = `${item.place}: mail ${++number}`;
    const one = inside(item, place, mail, {});
    // The format is not detected again: a mail that starts like an mbox would recurse without end.
    if (isOutermost(item)) yield* readWithinBudget(readMailOnce, one, context);
    else yield* readGuarded(readMailOnce, one, context);
  }
}

/** Checks whether the item is a file on disk. A nested item shares the budget of the file around it. */
function isOutermost({ nesting }: Item): boolean {
  return nesting.mime === 0 && nesting.decompressed === undefined && nesting.layers === 0;
}

async function* readMailOnce(item: Item, context: ItemContext): Findings {
  if (context.seen) yield* context.seen.unlessKnown(item, mail => readOneMail(mail, context));
  else yield* readOneMail(item, context);
}

/**
 * Reads a mail. Most mails have parts in unknown formats, so these are reported only if the mail contains no report.
 */
async function* readOneMail(item: Item, context: ItemContext): Findings {
  const { tlsReportDomain, parts } = await readMail(item.content, item.nesting.mime, context.bounds);
  const reportDomain = tlsReportDomain ?? item.nesting.reportDomain;
  const unread: string[] = [];
  let [attachments, reports, returned, unsupportedParts] = [0, 0, 0, 0];
  for await (const part of parts) {
    if (isFailureReport(part)) {
      context.counts.items++;
      yield [toUnstored('dmarc-failure')];
      return;
    }
    const place = `${item.place}, ${part.isText ? 'text' : `attachment ${++attachments}`}`;
    const { head, whole } = await peek(part.content, HEAD);
    if (!isReport(part, detectForm(head))) {
      const named = unsupportedPart(head, part.mimeType, part.isText);
      if (named !== undefined && !part.isReturned) {
        unsupportedParts++;
        const detail = part.name ? `${shownName(part.name)} is ${named}` : named;
        yield [toSkipped(place, new Unreadable('is in an unsupported format', detail))];
      } else if (part.name !== '' && unread.length < MOST_UNREAD && !ORDINARY.test(part.mimeType)) {
        unread.push(`attachment ${attachments} (${shownName(part.name)})`);
      }
      continue;
    }
    if (part.isReturned) {
      returned++;
      continue;
    }
    reports++;
    const attached = inside(item, place, whole, { mime: part.depth, reportDomain }, part.name);
    if (context.seen) yield* context.seen.unlessKnown(attached, part => readInside(part, context));
    else yield* readInside(attached, context);
  }
  if (returned > 0) throw new Unreadable('is a bounce or a receipt, and the mail in it is not counted');
  if (reports + unsupportedParts > 0) return;
  if (unread.length === 0) throw new Unreadable('is a mail without a report');
  throw new Unreadable('is a mail without a report', `none is in ${unread.join(', ')}`);
}

/** Maximum number of attachments that a message names, and types of parts that are not worth naming. */
const MOST_UNREAD = 5;
const ORDINARY = /^(?:image|audio|video|font)\/|^text\/(?:html|calendar|vcard|x-vcard)$|-signature$/;

/** Removes characters that could control a terminal. */
function shownName(name: string): string {
  return name.replace(/\p{Cc}/gu, '\u{FFFD}').slice(0, 100);
}

/** True if a part may be a report. Texts written by people have no known format, or look like a log. */
function isReport({ name, mimeType }: MailPart, form: Form | undefined): boolean {
  if (form === 'mail' || form === 'mbox') return mimeType === 'message/rfc822' || name !== '';
  return form !== undefined && form !== 'log';
}
