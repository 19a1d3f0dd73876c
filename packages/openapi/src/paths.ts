/** The paths of routes: `:name` stands for one segment, `:name(a|b)` for one of the literals. */

const PARAMETER = /:(\w+)(?:\([^)]*\))?/g;
const ALTERNATIVES = /:(\w+)\(([^)]*)\)/;

/** A path with a literal in each place that has alternatives. */
export interface PlainPath {
  path: string;
  /** The parameters that the literals stand for. */
  fixed: Readonly<Record<string, string>>;
}

const NONE = {};

/** `/watches/:product(script|data)` is as many paths as it has literals. */
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

/** As OpenAPI, the log and the metrics have it: `/watches/{product}/{domain}`. */
export function templateOf(path: string): string {
  return path.replace(PARAMETER, '{$1}');
}

/** With a value in the place of each parameter. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(PARAMETER, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
