import type { Color } from '../colors.ts';

export interface Series {
  name: string;
  color: Color;
  values: number[];
}

export interface Bar {
  /** The text below it. */
  label: string;
  /** The same where there is less room. */
  short?: string;
  /** In full, for the tooltip and the table. */
  name: string;
  /** When it begins for the visitor, where that is not UTC. */
  local?: string | undefined;
  href?: string | undefined;
}
