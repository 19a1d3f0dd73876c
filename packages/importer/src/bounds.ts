/** One decimal megabyte, in bytes. */
const MB = 1_000_000;

/** The size limits of an import. They apply to the bytes actually read, because a declared size can be forged. */
export interface Bounds {
  /** Maximum size of a gzip or zip file, in bytes. */
  compressed: number;
  /** Maximum decompressed size of a gzip or zip file, including nested archives, in bytes. */
  decompressed: number;
  /** Maximum size of a mail, in bytes. */
  mail: number;
  /** Maximum nesting of MIME parts, including forwarded mails. */
  mimeDepth: number;
  /** Maximum number of MIME parts in a mail. */
  parts: number;
  /** Maximum number of files in a zip. */
  members: number;
  /** Maximum nesting of zip files. */
  nestedZips: number;
  /** Maximum nesting of XML elements, and of JSON values. */
  xmlDepth: number;
  jsonDepth: number;
  /** Maximum number of records in a report. */
  records: number;
  /** Maximum output of a file or mail as a multiple of its size, in addition to a fixed allowance. */
  growth: number;
}

export const DEFAULT_BOUNDS: Readonly<Bounds> = {
  compressed: 25 * MB,
  decompressed: 100 * MB,
  mail: 100 * MB,
  mimeDepth: 16,
  parts: 1000,
  members: 1000,
  nestedZips: 1,
  xmlDepth: 64,
  jsonDepth: 64,
  records: 1_000_000,
  growth: 200,
};

/** Maximum length of a line or a JSON value, in characters. Each is buffered as a whole. */
export const LONGEST_VALUE = 16 * 1024 * 1024;

/** Number of leading bytes that are examined to detect a format. */
export const HEAD = 64 * 1024;
