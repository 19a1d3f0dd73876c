import type { ServiceFacts } from '@sightline/mcp';
import { dimensionsOf } from '../../sql/report/dimensions.ts';
import { filtersOf } from '../../sql/report/filters.ts';
import { serviceVersion } from '../observability/version.ts';

/** This service, for the tools of assistants. */
export const FACTS: ServiceFacts = {
  version: serviceVersion(),
  names: {
    groupings: type => dimensionsOf(type).map(({ name }) => name),
    filters: type => filtersOf(type).map(({ name }) => name),
  },
};
