export { type Bounds, DEFAULT_BOUNDS } from './bounds.ts';
export { recognizer } from './browser/browser.ts';
export { OtherTypes, type SavedDay } from './browser/other.ts';
export { type KnownTypes, readAgain } from './browser/read-again.ts';
export { stripAddresses } from './browser/strip.ts';
export { BROWSER_TYPES } from './browser/types.ts';
export { filesBelow, type OnBytes, spooledFile, standardInput } from './files.ts';
export type {
  FoundLine,
  ParseResult,
  SkippedPart as Skipped,
  UnroutedReport as Unrouted,
} from './finding.ts';
export { importItem } from './import.ts';
export {
  createContext,
  FORMATS,
  type Format,
  type ImportContext,
  type ImportCounts,
  type ImportOptions,
  type Item,
  OUTERMOST,
} from './item.ts';
export { describeReading, KnownMails } from './known-mails.ts';
export { type AccountRoute as Route, BadRoute, Routes } from './routes.ts';
export { ImportTally } from './tally.ts';
export { Unreadable } from './unreadable.ts';
export { isObject, toText, toTime } from './values.ts';
