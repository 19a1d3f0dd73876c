/** A server product, which has its own syntax for setting a header. */
export type ServerForm = keyof typeof FORMS;

const quoted = (value: string) => `"${value.replace(/[\\"]/g, '\\$&')}"`;

const FORMS = {
  headers: (name: string, value: string) => `${name}: ${value}`,
  nginx: (name: string, value: string) => `add_header ${name} ${quoted(value)} always;`,
  // A % is doubled, because Apache expands it in a header's value.
  Apache: (name: string, value: string) => `Header always set ${name} ${quoted(value.replaceAll('%', '%%'))}`,
  Caddy: (name: string, value: string) => `header ${name} ${quoted(value)}`,
};

export const SERVER_FORMS = Object.keys(FORMS) as ServerForm[];

/** Formats each header as a configuration line. */
export function headerLines(
  headers: readonly (readonly [name: string, value: string])[],
  form: ServerForm,
): string {
  return headers.map(([name, value]) => FORMS[form](name, value)).join('\n');
}
