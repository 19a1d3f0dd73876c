import { AskFailed } from '@sightline/ask';
import type { ReportType } from '@sightline/reports';

/** The names that a service has for reports of a type. */
export interface ReportNames {
  groupings(type: ReportType): readonly string[];
  filters(type: ReportType): readonly string[];
}

/** The part of a tool's input that names something. */
export interface Chosen {
  type: ReportType;
  by?: readonly string[];
  where?: object | undefined;
  not?: object | undefined;
}

/** @throws {AskFailed} for a name that the type does not have, with those that it has: a model has to guess them */
export function checkNames({ type, by = [], where = {}, not = {} }: Chosen, names: ReportNames): void {
  const known = (given: readonly string[], names: readonly string[], what: string) => {
    const other = given.find(name => !names.includes(name));
    if (other === undefined) return;
    throw new AskFailed(`Reports of type ${type} have no ${what} ${other}, only ${names.join(', ')}`);
  };
  const filters = names.filters(type);
  known(by, names.groupings(type), 'grouping');
  known(Object.keys(where), filters, 'filter');
  known(Object.keys(not), filters, 'filter');
}
