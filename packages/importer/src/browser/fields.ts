/** Fields of a report's body, by name in lower case without hyphens and underscores. */
export type BodyFields = Readonly<Record<string, unknown>>;

const seen = new Map<string, string>();

/** Maximum number of cached field names. Browsers use far fewer. */
const MOST_KNOWN = 5000;
const LONGEST_KNOWN = 64;

/** Converts a name to lower case without hyphens and underscores. */
export function plainName(name: string): string {
  const before = seen.get(name);
  if (before !== undefined) return before;
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  if (seen.size < MOST_KNOWN && name.length <= LONGEST_KNOWN) seen.set(name, plain);
  return plain;
}

/** An object without inherited fields, which V8 handles faster than one from `Object.create(null)`. */
class Plain {}
Reflect.deleteProperty(Plain.prototype, 'constructor');
Object.setPrototypeOf(Plain.prototype, null);

/**
 * Normalizes field names, so that kebab case, camel case and snake case are equivalent. If several fields have the same
 * normalized name, the first non-empty value is used.
 */
export function toFields(body: Record<string, unknown>): BodyFields {
  const fields = new Plain() as Record<string, unknown>;
  for (const name in body) {
    const plain = plainName(name);
    const before = fields[plain];
    if (before === undefined || before === null || before === '') fields[plain] = body[name];
  }
  return fields;
}
