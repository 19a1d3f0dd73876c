/** Bytes of a megabyte, as the bounds count it. */
const MB = 1_000_000;

/**
 * The bounds of an import. Bytes are counted as they come out, never as a header claims them: an attacker may have
 * written it.
 */
export interface Bounds {
  /** Bytes of a gzip or zip. */
  compressed: number;
  /** Bytes that a gzip or zip gives, with all that is compressed inside it. */
  decompressed: number;
  /** Bytes of a mail. */
  mail: number;
  /** Levels of MIME parts, forwarded mails among them. */
  mimeDepth: number;
  /** MIME parts of a mail. */
  parts: number;
  /** Members of a zip. */
  members: number;
  /** Levels of zip files inside a zip. */
  nestedZips: number;
  /** Levels of XML elements, and of JSON values. */
  xmlDepth: number;
  jsonDepth: number;
  /** Records of one report. */
  records: number;
  /** Times its own size that a file or a mail may give, beside what any may. */
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

/** Bytes of a line of text, or of a JSON value: what has to be in memory at once. */
export const LONGEST_VALUE = 16 * 1024 * 1024;

/** Bytes by which a form is known. */
export const HEAD = 64 * 1024;
