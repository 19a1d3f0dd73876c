/** Values of an object type's fields; what is left out is put together from the examples of its parts. */
export type ExampleFields = Readonly<Record<string, unknown>>;
