import { REPORT_TYPE_DEFINITIONS, type ReportType, type ReportTypeDefinition } from '@sightline/reports';

/** Returns the types whose definitions fulfil a condition. */
function typesThat(fulfil: (definition: ReportTypeDefinition) => boolean): ReportType[] {
  return REPORT_TYPE_DEFINITIONS.filter(fulfil).map(({ type }) => type);
}

/** The types that browsers send. */
export const BROWSER_TYPES = typesThat(({ fromBrowser }) => fromBrowser);

/** The types that report a blocked resource. */
export const BLOCKING_TYPES = typesThat(({ addresses }) => addresses.blocked !== undefined);

/** The types that threat intelligence scores. */
export const SCORED_TYPES = typesThat(({ filterOnly }) =>
  filterOnly.some(({ name }) => name === 'domainReputationScore'),
);
