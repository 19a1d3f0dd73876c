/** A line of the feed, before it is written. */
export type Line = { kind: string } & Record<string, unknown>;
