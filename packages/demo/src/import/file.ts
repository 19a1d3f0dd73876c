import { gzipSync, strToU8, zipSync } from 'fflate';
/** A file of the demo of imports. */
export interface DemoFile {
  /** The path below the output folder. */
  path: string;
  content: string | Uint8Array;
  /** Its modification time in milliseconds; now by default. */
  modified?: number;
}

/** The day that the reports cover: midnight UTC, in milliseconds. */
export type DayStart = number;

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** A time as parsedmarc writes it: in UTC, but without an offset. */
export const utc = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');

/** Compresses a text with gzip, without a timestamp, so that equal texts have equal bytes. */
export const toGzip = (text: string): Uint8Array => gzipSync(strToU8(text), { mtime: 0 });

/** Creates a zip with one file, dated to the first day that zip supports. Zip uses local time. */
export const toZip = (name: string, text: string): Uint8Array =>
  zipSync({ [name]: strToU8(text) }, { mtime: new Date(1980, 0, 1) });
