export { LONGEST_LINE, type NumberedLine, readLines, type SourceLine } from './lines.ts';
export { NoRegularFile, openRegular, readSmallFile, regularContent, type SmallFile } from './regular-file.ts';
export {
  type FeedSource,
  fileSource,
  RereadableSource,
  regularSource,
  toLines,
  totalSize,
} from './sources.ts';
