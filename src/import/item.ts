import type { Bounds } from './bounds.ts';
import type { Decompressed } from './containers/decompressed.ts';
import { FoundReports } from './reports.ts';

/** Something to import: a file, or what was found inside one. */
export interface Item {
  /** Where it is, for people. */
  place: string;
  content: AsyncIterable<Uint8Array>;
  /** Its name, or that of what holds it. It decides nothing but the domain of a TLS report without one. */
  name: string;
  /** When the file changed last, in milliseconds. */
  modified: number;
  /** What it is inside. */
  nesting: Nesting;
  /** What stands in files beside it. */
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

/** What certspotter writes beside a certificate. */
export interface Beside {
  /** The text of its `.v1.json`. */
  json: string;
  /** The text of its `.txt`, which names the log; '' without one. */
  text: string;
}

export const FORMATS = ['auto', 'browser', 'dmarc', 'tls-rpt', 'certificate', 'parsedmarc'] as const;
export type Format = (typeof FORMATS)[number];

export interface ImportOptions {
  accountId: string;
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

/** What is handed down to everything that reads. */
export interface ImportContext extends ImportOptions {
  reports: FoundReports;
  counts: Counts;
}

export interface Counts {
  /** Documents and lines that were read. */
  items: number;
  /** By where the time of a browser's report is from. */
  received: { line: number; option: number; file: number };
}

/** What one import needs, for all of its items. */
export function createContext(options: ImportOptions): ImportContext {
  const counts = { items: 0, received: { line: 0, option: 0, file: 0 } };
  return { ...options, reports: new FoundReports(options.accountId), counts };
}
