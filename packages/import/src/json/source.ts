import type { Item, ItemContext } from '../item.ts';
import type { Ordinals } from '../ordinals.ts';

/** The origin of a JSON value. */
export interface JsonSource {
  item: Item;
  context: ItemContext;
  /** Where the value is, for people. */
  place: string;
  /** The value as it came. */
  text: string;
  /** When it was received, as the line of a log says, in milliseconds. */
  time?: number | undefined;
  /** The user agent, as the line of a log says. */
  userAgent?: string | undefined;
  /** An identity, where a collector gives one. */
  collectedAs?: string;
  /** A collector has kept this part of such reports, where it is not all. */
  keptPart?: number | undefined;
  /** True for a body that somebody has sent to a collector of browsers' reports. */
  isBody?: boolean;
  /** Lists and bodies around it. */
  layers?: number;
  /** The item's ordinals: equal reports of one second are told apart by their order in it. */
  ordinals: Ordinals;
}
