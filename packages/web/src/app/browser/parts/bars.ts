import type { Color } from '../colors.ts';

export interface BarSeries {
  name: string;
  color: Color;
  values: number[];
}

export interface Bar {
  /** The label below the bar. */
  label: string;
  /** A shorter label for charts with little room. */
  short?: string;
  /** The full name, for the tooltip and the table. */
  name: string;
  /** The start of the bar in the visitor's time zone; undefined if that is UTC. */
  local?: string | undefined;
  href?: string | undefined;
  /** Insights that began during the bar. */
  marks?: readonly Mark[];
}

export interface Mark {
  text: string;
  isUrgent: boolean;
}
