import { dayNumber, type JsonFields, Rows, type TextWriter } from '@sightline/pg-client';
import type { DirectiveTotalRow } from '../sql/analytics.ts';
import { type DayCount, DayCounts, UNKNOWN } from '../sql/day-counts.ts';

/** A day of a graph; for CSP with the counts of its directives. */
export interface GraphDay {
  date: string;
  total: number;
  directives?: Record<string, number>;
}

/**
 * The days of a graph. A year has thousands of counts, so they are written from the wire format without creating
 * objects.
 */
export class GraphPeriods extends Rows<GraphDay> {
  #counts: Rows<DirectiveTotalRow>;
  #days: readonly string[];
  #periodOf: typeof cspPeriod | typeof totalPeriod;
  #periods: readonly GraphDay[] | undefined;

  /** @param counts for these days; those in wire format are ordered by day and directive */
  constructor(counts: Rows<DirectiveTotalRow>, days: readonly string[], isCsp: boolean) {
    super(undefined);
    this.#counts = counts;
    this.#days = days;
    this.#periodOf = isCsp ? cspPeriod : totalPeriod;
    this.ofType(isCsp ? 'CspGraphPeriod' : 'TotalGraphPeriod');
  }

  override get length(): number {
    return this.#days.length;
  }

  override get isRaw(): boolean {
    return this.#counts.isRaw;
  }

  override objects(): readonly GraphDay[] {
    this.#periods ??= this.#make();
    return this.#periods;
  }

  override write(text: TextWriter, fields: JsonFields): void {
    const first = dayNumber(this.#days[0]!);
    const counts = new DayCounts();
    let written = 0;
    const writeUntil = (day: number) => {
      for (; written < day; written++) {
        this.#writeDay(text, fields, written, counts);
        counts.clear();
      }
    };
    this.#counts.giveAway((bytes, at) => {
      writeUntil(DayCounts.dayAt(bytes, at) - first);
      counts.add(bytes, at);
    });
    writeUntil(this.#days.length);
  }

  #writeDay(text: TextWriter, fields: JsonFields, index: number, counts: DayCounts): void {
    const date = this.#days[index]!;
    const { total } = counts;
    // Beyond the safe integers, a sum depends on the order of its terms.
    const period: GraphDay = Number.isSafeInteger(total)
      ? { date, total }
      : this.#periodOf(date, counts.objects());
    let pending = index === 0 ? '{' : ',{';
    let separator = '';
    for (const { name, columns, text: textOf } of fields) {
      pending += `${separator}"${name}":`;
      separator = ',';
      if (columns[0] === 'directives' && !period.directives) {
        text.write(pending);
        pending = '';
        if (writeDirectives(text, counts)) continue;
        period.directives = cspPeriod(date, counts.objects()).directives;
      }
      pending += textOf(...columns.map(column => period[column as keyof GraphDay]));
    }
    text.write(`${pending}}`);
    text.settle();
  }

  #make(): readonly GraphDay[] {
    const byDay = new Map<string, DirectiveTotalRow[]>();
    for (const row of this.#counts) {
      const existing = byDay.get(row.day);
      if (existing) existing.push(row);
      else byDay.set(row.day, [row]);
    }
    return this.#days.map(date => this.#periodOf(date, byDay.get(date) ?? []));
  }
}

/** Returns true if all of them fit. */
function writeDirectives(text: TextWriter, counts: DayCounts): boolean {
  text.makeRoom(counts.room);
  const end = counts.write(text.bytes, text.length);
  if (end >= 0) text.length = end;
  return end >= 0;
}

function totalPeriod(date: string, counts: readonly DayCount[]): GraphDay {
  return { date, total: counts.reduce((sum, { total }) => sum + total, 0) };
}

function cspPeriod(date: string, counts: readonly DayCount[]) {
  // Has no prototype, because a directive can have any name.
  const directives: Record<string, number> = Object.create(null);
  let total = 0;
  let unknown = 0;
  // Sorted, because the database returns any order, and equal counts must give equal bytes.
  for (const { directive, total: count } of counts.toSorted(byDirective)) {
    total += count;
    if (directive === '' || directive === UNKNOWN) unknown += count;
    else directives[directive] = count;
  }
  directives[UNKNOWN] = unknown;
  return { date, total, directives };
}

function byDirective(one: DayCount, other: DayCount): number {
  return one.directive < other.directive ? -1 : 1;
}
