import { type Dimension, UTC_DAY } from '../report/dimensions.ts';
import type { Grouping } from './query.ts';

/** Dimensions that have few values between them: hosts have their paths, and browsers their platforms. */
const FAMILIES: readonly (readonly string[])[] = [
  ['PAGE_HOST', 'PAGE_PATH'],
  ['BLOCKED_HOST', 'BLOCKED_ORIGIN'],
  ['DIRECTIVE', 'SOURCE_CLASS', 'ACTION', 'DISPOSITION', 'BROWSER', 'PLATFORM'],
  ['NEL_TYPE', 'PHASE', 'STATUS_CODE'],
  ['SERVER_IP', 'ORGANISATION'],
  ['SOURCE_IP', 'SOURCE_ORGANISATION', 'SENDER', 'COUNTRY'],
  ['ALIGNED', 'DKIM', 'SPF'],
];

/** The sets of dimensions by which reports are counted, each report once in each. */
export interface Sets {
  /** The columns of all sets. */
  dimensions: readonly Dimension[];
  /** The column of counted rows that has a dimension's value. */
  keyOf(dimension: Dimension): string;
  sets: readonly (readonly Dimension[])[];
  /** The set whose rows a grouping is made of: its own dimensions, or more. */
  setOf(grouping: Grouping): readonly Dimension[];
  /** True if several rows of its set are one group of the grouping. */
  isInParts(grouping: Grouping): boolean;
  /** The number that PostgreSQL's grouping() has for a set: a bit for each dimension that is not in it. */
  numberOf(set: readonly Dimension[]): number;
}

/** Groupings of one family share a set: counting a report in ten sets costs more than reading it. */
export function setsOf(groupings: readonly Grouping[]): Sets {
  const shared = FAMILIES.map(family =>
    unique(groupings.filter(grouping => isOf(family, grouping)).flatMap(({ by }) => by)),
  );
  const setOf = (grouping: Grouping) =>
    shared[FAMILIES.findIndex(family => isOf(family, grouping))] ?? sorted(grouping.by);
  const dimensions = unique(groupings.flatMap(({ by }) => by));
  return {
    dimensions,
    keyOf: dimension => (dimension.expression === UTC_DAY ? 'day' : `k${dimensions.indexOf(dimension)}`),
    sets: [...new Map(groupings.map(setOf).map(set => [set.map(({ name }) => name).join(), set])).values()],
    setOf,
    isInParts: grouping =>
      setOf(grouping).length > grouping.by.length || grouping.by.some(({ column }) => column !== undefined),
    numberOf: set => dimensions.reduce((bits, dimension) => bits * 2 + (set.includes(dimension) ? 0 : 1), 0),
  };
}

const isOf = (family: readonly string[], { by }: Grouping) => by.every(({ name }) => family.includes(name));

const unique = (dimensions: readonly Dimension[]) => [...new Set(dimensions)];

/** The same set for the same dimensions, in whatever order these are asked for. */
const sorted = (by: readonly Dimension[]) => by.toSorted((one, other) => (one.name < other.name ? -1 : 1));
