import { stringify } from 'yaml';
import type { OpenApiDocument } from './types.ts';

const HEADING =
  '# Printed by `npm run codegen` from the REST schema and its routes. Changes here are overwritten.\n';

/** Formats the document as it is committed and served. */
export function toYaml(document: OpenApiDocument): string {
  return (
    HEADING +
    stringify(document, {
      // Many parsers still follow YAML 1.1, where an unquoted day is a date.
      compat: 'yaml-1.1',
      singleQuote: true,
      lineWidth: 110,
      aliasDuplicateObjects: false,
    })
  );
}
