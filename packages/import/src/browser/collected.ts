import { type Finding, skipped } from '../finding.ts';
import type { JsonSource } from '../json/source.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, listOf, numberOf, textOf, timeOf } from '../values.ts';
import { readBrowserReport } from './browser.ts';

const ACTIONS: Readonly<Partial<Record<string, 'enforced' | 'reportOnly'>>> = {
  enforce: 'enforced',
  report: 'reportOnly',
  wizard: 'reportOnly',
};

/**
 * Reads a line of the spool of `sightline collect`. A stranger has written what stands in `body`, and that is read as
 * reports of browsers alone: only the collector itself can have written a `usage`.
 * @throws {Unreadable}
 */
export function readCollected(line: unknown, source: JsonSource): Finding[] {
  const { id, time, usage, kind, body } = isObject(line) ? line : {};
  const key = textOf(id);
  const received = timeOf(time);
  if (!isObject(line) || key === '' || received === undefined)
    throw new Unreadable('is no line of a collector');
  if (isObject(usage)) return [source.context.reports.usage(usage)];
  const action = ACTIONS[textOf(kind)] ?? source.context.action;
  const context = { ...source.context, action };
  const userAgent = textOf(line.user_agent);
  const keptPart = numberOf(line.rate) ?? undefined;
  return listOf(body).flatMap((report, index) => {
    context.allowance.part();
    const one = { ...source, context, time: received, userAgent, keptPart, collectedAs: `${key} ${index}` };
    return readOne(report, { ...one, text: JSON.stringify(report) });
  });
}

function readOne(report: unknown, source: JsonSource): Finding[] {
  try {
    const found = isObject(report) ? readBrowserReport(report, source) : undefined;
    if (found) return found;
    throw new Unreadable('is no report of a browser');
  } catch (error) {
    return [skipped(source.place, error)];
  }
}
