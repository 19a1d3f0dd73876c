import { openApiDocument } from '@sightline/openapi/description';
import { invalidParameter, missingParameter } from '../schema/errors.ts';
import { graphSchema, restSchema } from '../schema/index.ts';
import { toCsv } from '../src/export/csv.ts';
import { FILTER_INPUTS } from '../src/export/parameters.ts';
import { REFUSALS } from '../src/http/respond.ts';
import { BASE_PATH } from '../src/rest/fields.ts';

/** The description of this service, from which `openapi.yaml` is printed. */
export const getDescription = (version: string) =>
  openApiDocument({
    version,
    basePath: BASE_PATH,
    rest: restSchema,
    graph: graphSchema,
    errors: {
      refusals: REFUSALS,
      invalidParameter: name => invalidParameter(name).message,
      missingParameter: name => missingParameter(name).message,
    },
    filters: FILTER_INPUTS,
    toCsv,
  });
