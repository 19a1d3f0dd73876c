import { dayNumber, type JsonFields, Rows, type TextWriter } from '@sightline/postgres';
import type { DirectiveTotalRow } from '../sql/analytics.ts';
import { type DayCount, DayCounts, UNKNOWN } from '../sql/day-counts.ts';

/** A day of a graph; of CSP with its directives. */
export interface Period {
  date: string;
  total: number;
  directives?: Record<string, number>;
}

/**
 * The days of a graph. Those of a year are made of thousands of counts: they are written from the bytes that came, and
 * no object is made of any count.
 */
export class GraphPeriods extends Rows<Period> {
  #counts: Rows<DirectiveTotalRow>;
  #days: readonly string[];
  #periodOf: typeof cspPeriod | typeof totalPeriod;
  #periods: readonly Period[] | undefined;

  /** @param counts of these days, ordered by day and directive where they are as they came */
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

  override objects(): readonly Period[] {
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
    // Beyond these integers a sum depends on the order of what is summed.
    const period: Period = Number.isSafeInteger(total)
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
      pending += textOf(...columns.map(column => period[column as keyof Period]));
    }
    text.write(`${pending}}`);
    text.settle();
  }

  #make(): readonly Period[] {
    const byDay = new Map<string, DirectiveTotalRow[]>();
    for (const row of this.#counts) {
      const known = byDay.get(row.day);
      if (known) known.push(row);
      else byDay.set(row.day, [row]);
    }
    return this.#days.map(date => this.#periodOf(date, byDay.get(date) ?? []));
  }
}

/** Tells whether they could be written: then nothing is left to be done for them. */
function writeDirectives(text: TextWriter, counts: DayCounts): boolean {
  text.makeRoom(counts.room);
  const end = counts.write(text.bytes, text.length);
  if (end >= 0) text.length = end;
  return end >= 0;
}

function totalPeriod(date: string, counts: readonly DayCount[]): Period {
  return { date, total: counts.reduce((sum, { total }) => sum + total, 0) };
}

function cspPeriod(date: string, counts: readonly DayCount[]) {
  // Without a prototype, for a directive may have any name.
  const directives: Record<string, number> = Object.create(null);
  let total = 0;
  let unknown = 0;
  // The order of what the database finds is its own; the same counts are the same bytes.
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
