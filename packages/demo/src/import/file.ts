/** A file of the demo of imports. */
export interface DemoFile {
  /** Below the folder that is written. */
  path: string;
  content: string | Uint8Array;
  /** When it changed last, in milliseconds; now where it is left out. */
  modified?: number;
}

/** The day that the reports are about: midnight (UTC), in milliseconds. */
export type Day = number;

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** A time as parsedmarc writes it: UTC, without saying so. */
export const utc = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
