import { Exhausted } from './allowance.ts';
import { HEAD } from './bounds.ts';
import { readCertificates } from './certificates/read.ts';
import { Decompressed } from './containers/decompressed.ts';
import { gunzip } from './containers/gzip.ts';
import { isFailureReport, type MailPart, readMail } from './containers/mail.ts';
import { mboxMails } from './containers/mbox.ts';
import { transferDecoded } from './containers/transfer-encoding.ts';
import { unzip, zipMembers } from './containers/zip.ts';
import { limited, peek } from './content.ts';
import { readDmarc } from './dmarc/dmarc.ts';
import { type Finding, notKept, skipped } from './finding.ts';
import { type Form, formOf } from './forms.ts';
import { contextOfItem, type ImportContext, type Item, type ItemContext, type Nesting } from './item.ts';
import { readJson } from './json/document.ts';
import { readLog } from './json/log.ts';
import { readCsv } from './parsedmarc-csv.ts';
import { identify } from './reports.ts';
import { rejectedAs, Unreadable } from './unreadable.ts';

type Findings = AsyncGenerator<Finding[]>;
type Reader = (item: Item, context: ItemContext) => Findings;

const READERS: Readonly<Record<Form, Reader>> = {
  gzip: readGzip,
  zip: readZip,
  mbox: readMbox,
  mail: readMailOnce,
  base64: readBase64,
  dmarc: readDmarc,
  certificates: readCertificates,
  json: readJson,
  csv: readCsv,
  log: readLog,
};

/** Findings that are handed on at once: their lines are put together. */
const AT_ONCE = 1000;

/** Layers of gzip and of base64 around one another. */
const MOST_LAYERS = 8;

/**
 * Turns an item into lines of the feed, whatever it is and however it is packed. It asks neither network nor disk.
 * Bytes that cannot be read are skipped with a finding: none end an import.
 */
export async function* importItem(item: Item, context: ImportContext): Findings {
  yield* allowed(readItem, item, context);
}

/** Reads a file, or a mail of a mailbox, which may give so much beside its own size. */
async function* allowed(read: Reader, item: Item, context: ImportContext): Findings {
  const own = contextOfItem(context);
  const { allowance } = own;
  try {
    const content = allowance.counted(item.content);
    for await (const findings of allowance.timed(guarded(read, { ...item, content }, own)))
      for (let start = 0; start < findings.length; start += AT_ONCE)
        yield findings.slice(start, start + AT_ONCE);
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    yield [skipped(item.place, error.cause)];
  }
}

/** Reads what stands inside one of these. */
function readInside(item: Item, context: ItemContext): Findings {
  return guarded(readItem, item, context);
}

/** Turns errors of an item into findings, and leaves the items beside it alone. */
async function* guarded(read: Reader, item: Item, context: ItemContext): Findings {
  try {
    yield* read(item, context);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    yield [skipped(item.place, error)];
  }
}

async function* readItem(item: Item, context: ItemContext): Findings {
  const { head, whole } = await peek(item.content, HEAD);
  if (head.length === 0) throw new Unreadable('is empty');
  const form = formOf(head);
  if (!form) throw new Unreadable('is of no form that is known');
  const found = READERS[form]({ ...item, content: whole }, context);
  yield* form === 'dmarc' ? rejectable(found, head) : found;
}

/** A DMARC report that cannot be read to its end is known by its first bytes, which are the same wherever it lies. */
async function* rejectable(found: Findings, head: Buffer): Findings {
  try {
    yield* found;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw rejectedAs(error, { type: 'dmarc', id: identify('rejected', head.toString('latin1')) });
  }
}

/** An item inside another one. */
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
  const content = transferDecoded(limited(item.content, context.bounds.compressed, 'is too large'), 'base64');
  yield* readInside(inside(item, item.place, content, { layers: nextLayer(item) }), context);
}

function nextLayer({ nesting }: Item): number {
  if (nesting.layers === MOST_LAYERS)
    throw new Unreadable('is nested too deeply', `over ${MOST_LAYERS} layers`);
  return nesting.layers + 1;
}

function decompressedIn({ nesting }: Item, { bounds, allowance }: ItemContext): Decompressed {
  return nesting.decompressed ?? new Decompressed(bounds.decompressed, allowance);
}

async function* readZip(item: Item, context: ItemContext): Findings {
  const { bounds } = context;
  const zips = item.nesting.zips + 1;
  if (zips > bounds.nestedZips + 1)
    throw new Unreadable('is nested too deeply', `over ${bounds.nestedZips} zip in a zip`);
  const decompressed = decompressedIn(item, context);
  const members = await zipMembers(item.content, bounds);
  if (members.length === 0) throw new Unreadable('is an empty zip');
  for (const member of members) {
    const content = unzip(member, decompressed);
    const place = `${item.place}, member ${member.name}`;
    yield* readInside(inside(item, place, content, { decompressed, zips }, member.name), context);
  }
}

async function* readMbox(item: Item, context: ItemContext): Findings {
  let number = 0;
  for await (const mail of mboxMails(item.content)) {
    const place = `${item.place}: mail ${++number}`;
    const one = inside(item, place, mail, {});
    // A mail is what it is, even where it begins as an mbox does: asked again, it would be one without end.
    if (isOutermost(item)) yield* allowed(readMailOnce, one, context);
    else yield* guarded(readMailOnce, one, context);
  }
}

/** True for a file as it lies on the disk: packed ones count with the file around them. */
function isOutermost({ nesting }: Item): boolean {
  return nesting.mime === 0 && nesting.decompressed === undefined && nesting.layers === 0;
}

async function* readMailOnce(item: Item, context: ItemContext): Findings {
  if (context.known) yield* context.known.unlessKnown(item, mail => readOneMail(mail, context));
  else yield* readOneMail(item, context);
}

/** Parts of no known form are what mails have beside their reports: only a mail without any report is told. */
async function* readOneMail(item: Item, context: ItemContext): Findings {
  const { tlsReportDomain, parts } = await readMail(item.content, item.nesting.mime, context.bounds);
  const reportDomain = tlsReportDomain ?? item.nesting.reportDomain;
  let [attachments, reports] = [0, 0];
  for await (const part of parts) {
    if (isFailureReport(part)) {
      context.counts.items++;
      yield [notKept('dmarc-failure')];
      return;
    }
    const place = `${item.place}, ${part.isText ? 'text' : `attachment ${++attachments}`}`;
    const { head, whole } = await peek(part.content, HEAD);
    if (!isReport(part, formOf(head))) continue;
    reports++;
    const attached = inside(item, place, whole, { mime: part.depth, reportDomain }, part.name);
    if (context.known) yield* context.known.unlessKnown(attached, part => readInside(part, context));
    else yield* readInside(attached, context);
  }
  if (reports === 0) throw new Unreadable('is a mail without a report');
}

/** True if a part may be a report. Texts of people are of none of the forms, or look like a log. */
function isReport({ name, mimeType }: MailPart, form: Form | undefined): boolean {
  if (form === 'mail' || form === 'mbox') return mimeType === 'message/rfc822' || name !== '';
  return form !== undefined && form !== 'log';
}
