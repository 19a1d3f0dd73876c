import { SightlineError } from '@sightline/client';
import type { ReportType } from '@sightline/reports';

/** The names that a service supports for a report type. */
export interface ReportNames {
  groupings(type: ReportType): readonly string[];
  filters(type: ReportType): readonly string[];
}

/** The names in a tool's input. */
export interface ChosenNames {
  type: ReportType;
  by?: readonly string[];
  where?: object | undefined;
  not?: object | undefined;
}

/**
 * Checks the names in a tool's input.
 * @throws {SightlineError} for an unknown name; the message lists the valid names
 */
export function checkNames({ type, by = [], where = {}, not = {} }: ChosenNames, names: ReportNames): void {
  const requireNames = (given: readonly string[], names: readonly string[], what: string) => {
    const other = given.find(name => !names.includes(name));
    if (other === undefined) return;
    throw new SightlineError(`Reports of type ${type} have no ${what} ${other}, only ${names.join(', ')}`, 0);
  };
  const filters = names.filters(type);
  requireNames(by, names.groupings(type), 'grouping');
  requireNames(Object.keys(where), filters, 'filter');
  requireNames(Object.keys(not), filters, 'filter');
}
