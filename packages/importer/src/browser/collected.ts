import { type ParseResult, readOrSkip } from '../finding.ts';
import type { JsonSource } from '../json/source.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, toList, toNumber, toText, toTime } from '../values.ts';
import { readBrowserReport } from './browser.ts';

const ACTIONS: Readonly<Partial<Record<string, 'enforced' | 'reportOnly'>>> = {
  enforce: 'enforced',
  report: 'reportOnly',
  wizard: 'reportOnly',
};

/**
 * Reads a line of the spool of `sightline collect`. The `body` is untrusted and is read only as browser reports; only
 * the collector can write `usage`.
 * @throws {Unreadable}
 */
export function readCollected(line: unknown, source: JsonSource): ParseResult[] {
  const { id, time, usage, kind, body } = isObject(line) ? line : {};
  const key = toText(id);
  const received = toTime(time);
  if (!isObject(line) || key === '' || received === undefined)
    throw new Unreadable('is not a line of a collector');
  if (isObject(usage)) return [source.context.reports.usage(usage)];
  const action = ACTIONS[toText(kind)] ?? source.context.action;
  const context = { ...source.context, action };
  const userAgent = toText(line.user_agent);
  const sampleRate = toNumber(line.rate) ?? undefined;
  return toList(body).flatMap((report, index) => {
    context.budget.part();
    const one = {
      ...source,
      context,
      time: received,
      userAgent,
      sampleRate,
      collectedAs: `${key} ${index}`,
    };
    return readOne(report, { ...one, text: JSON.stringify(report) });
  });
}

function readOne(report: unknown, source: JsonSource): ParseResult[] {
  return readOrSkip(source.place, () => {
    const found = isObject(report) ? readBrowserReport(report, source) : undefined;
    if (found) return found;
    throw new Unreadable('is not a browser report');
  });
}
