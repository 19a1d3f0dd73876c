import type { ChangedInput } from '../../../test/support/changed-inputs.ts';
import { type ImportResult, importBytes, type Record } from './reports.ts';

/** When the recorded imports take place: the reports in them are of the day before. */
export const NOW = new Date('2026-11-21T12:00:00Z');
const MODIFIED = Date.UTC(2026, 10, 21, 9);

type Options = Parameters<typeof importBytes>[1];
type Item = Parameters<typeof importBytes>[2];
export type Content = Uint8Array | string;

export const importAsOf = (bytes: Content, options: Options = {}, item: Item = {}) =>
  importBytes(bytes, { now: NOW, ...options }, { modified: MODIFIED, ...item });

/** Longer values are cut: what matters is that they differ. */
const LONGEST = 160;
const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length})` : text;
};

/** Ids and originals follow from the rest, so only whether they changed is shown. */
const DERIVED = new Set(['id', 'raw']);

function* differences(before: Record, after: Record, path = ''): Generator<[string, string]> {
  const areObjects = [before, after].every(value => typeof value === 'object' && value !== null);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!areObjects || Array.isArray(before) !== Array.isArray(after)) {
    yield [path, shown(after)];
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (DERIVED.has(name)) continue;
    yield* differences(before[name], after[name], path === '' ? name : `${path}.${name}`);
  }
}

/** Lists the fields in which two imports differ, with their values in the second one. */
export function compareImports(before: ImportResult, after: ImportResult): [string, string][] {
  const found: [string, string][] = [];
  for (const list of ['records', 'deleted', 'certificates', 'usage', 'unstored'] as const) {
    const [old, now] = [before[list], after[list]];
    if (old.length !== now.length) found.push([`number of ${list}`, String(now.length)]);
    // Where records are missing or repeated, their number is enough.
    if (old.length === now.length)
      for (const [index, value] of now.entries()) {
        const place = now.length === 1 ? '' : `${index + 1}`;
        found.push(...differences(old[index], value, place));
      }
  }
  const ids = ({ records }: ImportResult) => records.map(({ id }) => id).join();
  if (before.records.length === after.records.length && ids(before) !== ids(after))
    found.push(['id', 'other']);
  const skipped = after.skipped.map(text => text.replace(/^file\b/, '').trim()).join('; ');
  if (before.skipped.join() !== after.skipped.join()) found.push(['skipped', skipped || 'nothing']);
  if (before.rejected.length !== after.rejected.length)
    found.push(['rejected', String(after.rejected.length)]);
  if (before.items !== after.items) found.push(['items', String(after.items)]);
  return found;
}

/** Records the outcomes of changes by their places. Places whose changes have the same outcomes share a paragraph. */
export class RecordedOutcomes {
  #places = new Map<string, Map<string, string[]>>();
  #fields = new Map<string, Set<string>>();

  add(change: string, outcome: readonly (readonly [field: string, value: string])[]): void {
    const [, place, how] = /^(.*?): (.*)$/s.exec(change)!;
    const outcomes = this.#places.get(place!) ?? new Map<string, string[]>();
    const fields = this.#fields.get(place!) ?? new Set<string>();
    this.#places.set(place!, outcomes);
    this.#fields.set(place!, fields);
    for (const [field] of outcome) if (!OF_ALL.has(field)) fields.add(field);
    const text = outcome.map(([field, value]) => `${field} ${value}`).join(', ') || 'as before';
    outcomes.set(text, [...(outcomes.get(text) ?? []), how!]);
  }

  toString(): string {
    const alike = new Map<string, string[]>();
    for (const [place, outcomes] of this.#places) {
      const [field, ...others] = this.#fields.get(place)!;
      const isOne = field !== undefined && others.length === 0;
      const lines = [...outcomes].map(([text, changes]) => {
        const general = isOne ? text.replace(`${field} `, '* ') : text;
        return `  ${changes.join(' ')} → ${general}\n`;
      });
      const body = lines.join('');
      alike.set(body, [...(alike.get(body) ?? []), isOne ? `${place} (${field})` : place]);
    }
    return [...alike].map(([body, places]) => `${places.join(', ')}\n${body}`).join('');
  }
}

const OF_ALL = new Set(['id', 'skipped', 'rejected', 'items', 'number of records', 'number of unstored']);

/** Imports an input and its changed forms, and returns the first outcome and the differences of the others. */
export async function recordImports<T>(
  title: string,
  sample: T,
  changed: Iterable<ChangedInput<T>>,
  toContent: (input: T) => Content,
  options: Options = {},
  item: Item = {},
): Promise<string> {
  const before = await importAsOf(toContent(sample), options, item);
  const outcomes = new RecordedOutcomes();
  for (const { change, input } of changed)
    outcomes.add(change, compareImports(before, await importAsOf(toContent(input), options, item)));
  const { records, skipped, unstored, certificates } = before;
  const whole = records.map(({ raw: _, ...record }) => `${JSON.stringify(record)}\n`).join('');
  const rest = [...skipped, ...unstored.map(type => `unstored ${type}`)].map(text => `${text}\n`).join('');
  const pems = certificates.length > 0 ? `${certificates.length} certificates\n` : '';
  return `# ${title}\n${whole}${pems}${rest}${outcomes}\n`;
}
