/** A line of the feed before serialization. */
export type DemoLine = { kind: string } & Record<string, unknown>;
