/** Examples of an object type's fields; others are composed from the examples of their parts. */
export type ExampleFields = Readonly<Record<string, unknown>>;
