import type { Bounds } from './bounds.ts';
import { OtherTypes } from './browser/other.ts';
import type { DecompressedCounter } from './containers/decompressed.ts';
import { ExportCopies } from './export-copies.ts';
import type { ParseResult } from './finding.ts';
import { FoundReports } from './reports.ts';
import { ResourceBudget } from './resource-budget.ts';
import type { Routes } from './routes.ts';

/** Something to import: a file, or an item inside one. */
export interface Item {
  /** The location shown in messages. */
  place: string;
  content: AsyncIterable<Uint8Array>;
  /** The name of the item or of its container. Used only for the domain of a TLS report that does not contain one. */
  name: string;
  /** The file's modification time in milliseconds. */
  modified: number;
  /** The containers around the item. */
  nesting: Nesting;
  /** The content of accompanying files. */
  sibling?: Sibling;
}

export interface Nesting {
  mime: number;
  zips: number;
  /** Number of gzip and base64 layers around the item. */
  layers: number;
  /** Counts the decompressed bytes of everything inside one compressed item. */
  decompressed?: DecompressedCounter;
  /** The domain that the enclosing mail names as its subject (RFC 8460 section 5.3). */
  reportDomain?: string | undefined;
}

export const OUTERMOST: Readonly<Nesting> = { mime: 0, zips: 0, layers: 0 };

/** The files that certspotter writes next to a certificate. */
export interface Sibling {
  /** The text of the `.v1.json` file. */
  json: string;
  /** The text of the `.txt` file, which names the log; '' if absent. */
  text: string;
}

/** The formats that an import can be limited to. `collected` is the format of the spool of `sightline collect`. */
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
  /** The account for reports that match no route. */
  accountId?: string | undefined;
  /** The accounts of reports, by host. */
  routes?: Routes | undefined;
  /** The only report format to accept; containers are always opened. */
  format: Format;
  /** When browser reports were received, in milliseconds, if no log line contains the time. */
  received?: number;
  /** The action of CSP reports that do not contain one. */
  action: 'enforced' | 'reportOnly';
  stripQuery: boolean;
  /** Dotted paths to fields of a log line. */
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
  counts: ImportCounts;
  copies: ExportCopies;
  /** The limits for reports of unknown types. */
  otherTypes: OtherTypes;
  /** Recognises mails that were imported before; undefined to read all mails. */
  seen?: ImportHistory | undefined;
}

/** Reads an item unless it was imported before. */
export interface ImportHistory {
  unlessKnown(item: Item, read: (item: Item) => AsyncGenerator<ParseResult[]>): AsyncGenerator<ParseResult[]>;
}

/** The context shared by all readers inside a file or mail. */
export interface ItemContext extends ImportContext {
  /** The budget for the item's output. */
  budget: ResourceBudget;
}

export interface ImportCounts {
  /** The number of documents and lines read. */
  items: number;
  /** The number of browser reports by the source of their time. */
  received: { line: number; option: number; file: number };
}

/** Creates the state of an import. */
export function createContext(options: ImportOptions): ImportContext {
  const counts = { items: 0, received: { line: 0, option: 0, file: 0 } };
  return {
    ...options,
    reports: new FoundReports(options),
    copies: new ExportCopies(),
    otherTypes: new OtherTypes(),
    counts,
  };
}

/** Creates the context of one file or mail. */
export function contextOfItem(context: ImportContext): ItemContext {
  const budget = new ResourceBudget(context.bounds);
  return { ...context, budget: budget, reports: context.reports.withBudget(budget) };
}
