import { Allowance } from './allowance.ts';
import type { Bounds } from './bounds.ts';
import type { Decompressed } from './containers/decompressed.ts';
import type { Finding } from './finding.ts';
import { FoundReports } from './reports.ts';
import type { Routes } from './routes.ts';

/** Something to import: a file, or what was found inside one. */
export interface Item {
  /** Where it is, for people. */
  place: string;
  content: AsyncIterable<Uint8Array>;
  /** Its name, or that of what holds it. It decides nothing but the domain of a TLS report without one. */
  name: string;
  /** When the file changed last, in milliseconds. */
  modified: number;
  /** The containers around it. */
  nesting: Nesting;
  /** The content of files beside it. */
  beside?: Beside;
}

export interface Nesting {
  mime: number;
  zips: number;
  /** Layers of gzip and of base64 around it. */
  layers: number;
  /** Counts what is decompressed, over all that is inside one compressed item. */
  decompressed?: Decompressed;
  /** The domain that the mail around it says it reports on (RFC 8460 section 5.3). */
  reportDomain?: string | undefined;
}

export const OUTERMOST: Readonly<Nesting> = { mime: 0, zips: 0, layers: 0 };

/** The files that certspotter writes beside a certificate. */
export interface Beside {
  /** The text of its `.v1.json`. */
  json: string;
  /** The text of its `.txt`, which names the log; '' without one. */
  text: string;
}

/** `collected` is the spool of `sightline collect`. */
export const FORMATS = [
  'auto',
  'browser',
  'collected',
  'dmarc',
  'tls-rpt',
  'certificate',
  'parsedmarc',
] as const;
export type Format = (typeof FORMATS)[number];

export interface ImportOptions {
  /** The owner of reports that no route matches. */
  accountId?: string | undefined;
  /** The owners of reports by their hosts. */
  routes?: Routes | undefined;
  /** The only form of reports to take; containers are opened all the same. */
  format: Format;
  /** When browser reports came in, in milliseconds, where no line of a log says so. */
  received?: number;
  /** The action of CSP reports that do not say it. */
  action: 'enforced' | 'reportOnly';
  stripQuery: boolean;
  /** Dotted paths into the lines of a log. */
  fields?: LogFields;
  bounds: Bounds;
}

export interface LogFields {
  body: string;
  time?: string;
  userAgent?: string;
}

/** The state that all items of an import share. */
export interface ImportContext extends ImportOptions {
  reports: FoundReports;
  counts: Counts;
  /** Mails that need not be read again; undefined where all are. */
  known?: Knowing | undefined;
}

/** Reads an item unless it is known. */
export interface Knowing {
  unlessKnown(item: Item, read: (item: Item) => AsyncGenerator<Finding[]>): AsyncGenerator<Finding[]>;
}

/** The context of all readers inside a file or a mail. */
export interface ItemContext extends ImportContext {
  /** The output that it may have. */
  allowance: Allowance;
}

export interface Counts {
  /** Documents and lines that were read. */
  items: number;
  /** Browsers' reports by the origin of their time. */
  received: { line: number; option: number; file: number };
}

/** Creates the state of an import. */
export function createContext(options: ImportOptions): ImportContext {
  const counts = { items: 0, received: { line: 0, option: 0, file: 0 } };
  return { ...options, reports: new FoundReports(options), counts };
}

/** The same for one file or mail. */
export function contextOfItem(context: ImportContext): ItemContext {
  const allowance = new Allowance(context.bounds);
  return { ...context, allowance, reports: context.reports.within(allowance) };
}
