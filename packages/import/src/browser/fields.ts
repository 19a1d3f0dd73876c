/** Fields of a report's body by their names in small letters, without hyphens and underscores. */
export type Fields = Readonly<Record<string, unknown>>;

const known = new Map<string, string>();

/** Names that are remembered, and characters of each: those of browsers are few, and short. */
const MOST_KNOWN = 5000;
const LONGEST_KNOWN = 64;

/** In small letters, without hyphens and underscores. */
export function plainName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  if (known.size < MOST_KNOWN && name.length <= LONGEST_KNOWN) known.set(name, plain);
  return plain;
}

/** An object without any inherited field. V8 reads and fills it in half the time of `Object.create(null)`. */
class Plain {}
Reflect.deleteProperty(Plain.prototype, 'constructor');
Object.setPrototypeOf(Plain.prototype, null);

/** In kebab-, camel- or snake-case, a field is the same; of several the first that holds anything counts. */
export function fieldsOf(body: Record<string, unknown>): Fields {
  const fields = new Plain() as Record<string, unknown>;
  for (const name in body) {
    const plain = plainName(name);
    const before = fields[plain];
    if (before === undefined || before === null || before === '') fields[plain] = body[name];
  }
  return fields;
}
