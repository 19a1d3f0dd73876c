/** The syntax of paths: `:name` stands for a segment, `:name(a|b)` for one of the literals. */

const PARAMETER = /:(\w+)(?:\([^)]*\))?/g;
const ALTERNATIVES = /:(\w+)\(([^)]*)\)/;

/** A path whose alternatives have been replaced by literals. */
export interface PlainPath {
  path: string;
  /** The parameters that the literals replace. */
  fixed: Readonly<Record<string, string>>;
}

const NONE = {};

/** Expands `/watches/:product(script|data)` to one path per literal. */
export function plainPaths(path: string): PlainPath[] {
  const [whole, name, literals] = ALTERNATIVES.exec(path) ?? [];
  if (!whole || !name || !literals) return [{ path, fixed: NONE }];
  return literals.split('|').flatMap(literal =>
    plainPaths(path.replace(whole, literal)).map(plain => ({
      path: plain.path,
      fixed: { ...plain.fixed, [name]: literal },
    })),
  );
}

/** Formats a path as in OpenAPI, logs and metrics: `/watches/{product}/{domain}`. */
export function toTemplate(path: string): string {
  return path.replace(PARAMETER, '{$1}');
}

/** Replaces the parameters in a path by values. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(PARAMETER, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
