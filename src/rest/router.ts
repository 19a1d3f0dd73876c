import { plainPaths } from '@sightline/openapi/description';
import { decode, type Text } from './query-string.ts';

export interface RouteMatch<Target> {
  target: Target;
  parameters: Readonly<Record<string, Text>>;
}

interface Pattern<Target> {
  segments: readonly string[];
  target: Target;
  fixed: Readonly<Record<string, string>>;
}

/** Finds routes by path. Paths are compared case-sensitively, after percent-decoding, without trailing slash. */
export class Router<Target> {
  /** Paths without parameters, in canonical form. */
  #literal = new Map<string, RouteMatch<Target>>();
  #patterns: Pattern<Target>[] = [];
  /** The number of segments that no route reaches. */
  #tooMany = 1;

  /** @param path a pattern (`@sightline/openapi/paths`) */
  add(path: string, target: Target): void {
    for (const { path: plain, fixed } of plainPaths(path)) {
      const segments = plain.split('/');
      if (!plain.includes('/:')) this.#literal.set(plain, { target, parameters: fixed });
      this.#patterns.push({ segments, target, fixed });
      this.#tooMany = Math.max(this.#tooMany, segments.length + 1);
    }
  }

  /** @param path with a leading slash, without query */
  find(path: string): RouteMatch<Target> | undefined {
    const literal = this.#literal.get(path);
    if (literal) return literal;
    const segments = path.split('/', this.#tooMany).map(decode);
    for (const pattern of this.#patterns) {
      const parameters = match(pattern, segments);
      if (parameters) return { target: pattern.target, parameters };
    }
    return undefined;
  }
}

function match(
  { segments, fixed }: Pattern<unknown>,
  path: readonly Text[],
): Record<string, Text> | undefined {
  if (segments.length !== path.length) return undefined;
  const parameters: Record<string, Text> = { ...fixed };
  for (const [index, segment] of segments.entries()) {
    const text = path[index]!;
    const isParameter = segment.startsWith(':');
    if (isParameter ? text === '' : text !== segment) return undefined;
    if (isParameter) parameters[segment.slice(1)] = text;
  }
  return parameters;
}
