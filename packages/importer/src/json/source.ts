import type { Occurrences } from '../browser/occurrences.ts';
import type { Item, ItemContext } from '../item.ts';
import type { Ordinals } from '../ordinals.ts';

/** The origin of a JSON value. */
export interface JsonSource {
  item: Item;
  context: ItemContext;
  /** The location shown in messages. */
  place: string;
  /** The original text of the value. */
  text: string;
  /** The time in the log line, in milliseconds since 1970. */
  time?: number | undefined;
  /** The user agent in the log line. */
  userAgent?: string | undefined;
  /** The identity that a collector assigned. */
  collectedAs?: string;
  /** The fraction of such reports that the collector stored; undefined for all. */
  sampleRate?: number | undefined;
  /** True for a body that was sent to a collector of browser reports. */
  isBody?: boolean;
  /** Number of enclosing lists and bodies. */
  layers?: number;
  /** Ordinals that distinguish equal rows and browser reports by their order in the item. */
  ordinals: Ordinals;
  occurrences?: Occurrences;
}
