import { type Dimension, UTC_DAY } from '../report/dimensions.ts';
import type { Grouping } from './query.ts';

/** Dimensions with few combinations: hosts with their paths, and browsers with their platforms. */
const FAMILIES: readonly (readonly string[])[] = [
  ['PAGE_HOST', 'PAGE_PATH'],
  ['BLOCKED_HOST', 'BLOCKED_ORIGIN'],
  ['DIRECTIVE', 'SOURCE_CLASS', 'ACTION', 'DISPOSITION', 'BROWSER', 'PLATFORM'],
  ['NEL_TYPE', 'PHASE', 'STATUS_CODE'],
  ['SERVER_IP', 'ORGANISATION'],
  ['SOURCE_IP', 'SOURCE_ORGANISATION', 'SENDER', 'COUNTRY'],
  ['ALIGNED', 'DKIM', 'SPF'],
];

/** The sets of dimensions by which reports are counted, each report once per set. */
export interface Sets {
  /** The columns of all sets. */
  dimensions: readonly Dimension[];
  /** Returns the column of counted rows with the dimension's value. */
  toKey(dimension: Dimension): string;
  sets: readonly (readonly Dimension[])[];
  /** Returns the set that contains the dimensions of a grouping. */
  findSet(grouping: Grouping): readonly Dimension[];
  /** True if several rows of its set belong to one group of the grouping. */
  isInParts(grouping: Grouping): boolean;
  /** Returns PostgreSQL's grouping() value for a set: a bit for each absent dimension. */
  toNumber(set: readonly Dimension[]): number;
}

/** Groupings of the same family share a set, because counting a report in ten sets takes longer than reading it. */
export function toSets(groupings: readonly Grouping[]): Sets {
  const shared = FAMILIES.map(family =>
    unique(groupings.filter(grouping => isOf(family, grouping)).flatMap(({ by }) => by)),
  );
  const findSet = (grouping: Grouping) =>
    shared[FAMILIES.findIndex(family => isOf(family, grouping))] ?? sortByName(grouping.by);
  const dimensions = unique(groupings.flatMap(({ by }) => by));
  return {
    dimensions,
    toKey: dimension => (dimension.expression === UTC_DAY ? 'day' : `k${dimensions.indexOf(dimension)}`),
    sets: [...new Map(groupings.map(findSet).map(set => [set.map(({ name }) => name).join(), set])).values()],
    findSet,
    isInParts: grouping =>
      findSet(grouping).length > grouping.by.length || grouping.by.some(({ column }) => column !== undefined),
    toNumber: set => dimensions.reduce((bits, dimension) => bits * 2 + (set.includes(dimension) ? 0 : 1), 0),
  };
}

const isOf = (family: readonly string[], { by }: Grouping) => by.every(({ name }) => family.includes(name));

const unique = (dimensions: readonly Dimension[]) => [...new Set(dimensions)];

/** Makes sets independent of the order of dimensions. */
const sortByName = (by: readonly Dimension[]) =>
  by.toSorted((one, other) => (one.name < other.name ? -1 : 1));
