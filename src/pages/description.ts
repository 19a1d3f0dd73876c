import { existsSync, readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@sightline/openapi';
import { parse } from 'yaml';

/** The committed description of `/v1`, beside the sources and in `dist` alike. */
export const DESCRIPTION = new URL('../../openapi.yaml', import.meta.url);

/** The same as JSON, where a build puts it: reading the YAML blocks a process for a quarter of a second. */
export const BUILT_DESCRIPTION = 'openapi.json';
const built = new URL(BUILT_DESCRIPTION, import.meta.url);

let parsed: OpenApiDocument | undefined;

export function descriptionAsYaml(): string {
  return readFileSync(DESCRIPTION, 'utf8');
}

/** As it was built, which is read at once; or, in a checkout, made of the YAML when it is asked for. */
export function descriptionAsJson(): () => string {
  if (!existsSync(built)) return () => JSON.stringify(description());
  const text = readFileSync(built, 'utf8');
  return () => text;
}

/** In a checkout, read once in a process. */
export function description(): OpenApiDocument {
  parsed ??= parse(descriptionAsYaml()) as OpenApiDocument;
  return parsed;
}
