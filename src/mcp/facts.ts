import type { ServiceFacts } from '@sightline/tools/mcp';
import { listDimensions } from '../../sql/report/dimensions.ts';
import { listFilters } from '../../sql/report/filters.ts';
import { serviceVersion } from '../observability/version.ts';

/** Facts about this service for the MCP tools. */
export const FACTS: ServiceFacts = {
  version: serviceVersion(),
  names: {
    groupings: type => listDimensions(type).map(({ name }) => name),
    filters: type => listFilters(type).map(({ name }) => name),
  },
};
