/**
 * Changes a valid input at each of its places, one at a time. Tests record what comes of each change, so that a change
 * of behaviour shows as a difference of a recorded file: `npx vitest run FILE --update` after it was meant.
 */

export interface ChangedInput<T> {
  /** Describes the change, such as `records[0].count: null`. */
  readonly change: string;
  readonly input: T;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The replacements of each value, except for those that equal it. */
const REPLACEMENTS: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  ' ',
  '7',
  'é',
  [],
  {},
  ['x'],
  { x: 1 },
];

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Yields copies of `value` without one key or element, and with one value replaced or an element repeated. */
export function* changeJson(
  value: Json,
  replacements = REPLACEMENTS,
  path = '',
): Generator<ChangedInput<Json>> {
  for (const replacement of replacements) {
    if (JSON.stringify(replacement) !== JSON.stringify(value)) {
      yield { change: `${path || 'all'}: ${JSON.stringify(replacement)}`, input: replacement };
    }
  }
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const place = `${path}[${index}]`;
      yield { change: `${place}: removed`, input: value.toSpliced(index, 1) };
      yield { change: `${place}: repeated`, input: value.toSpliced(index, 0, element) };
      for (const { change, input } of changeJson(element, replacements, place)) {
        yield { change, input: value.with(index, input) };
      }
    }
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      yield {
        change: `${place}: removed`,
        input: Object.fromEntries(Object.entries(value).filter(([k]) => k !== key)),
      };
      for (const { change, input } of changeJson(member, replacements, place)) {
        yield { change, input: { ...value, [key]: input } };
      }
    }
  }
}

/** Yields copies of `text` with one line removed, repeated, cut in half or emptied. */
export function* changeLines(text: string): Generator<ChangedInput<string>> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const place = `line ${index + 1}`;
    const changed: [string, string[]][] = [
      ['removed', lines.toSpliced(index, 1)],
      ['repeated', lines.toSpliced(index, 0, line)],
    ];
    if (line.trim() !== '') {
      changed.push(
        ['cut in half', lines.with(index, line.slice(0, Math.ceil(line.length / 2)))],
        ['emptied', lines.with(index, '')],
      );
    }
    for (const [how, result] of changed) yield { change: `${place}: ${how}`, input: result.join('\n') };
  }
}
