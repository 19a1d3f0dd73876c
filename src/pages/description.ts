import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { OpenApiDocument } from '@sightline/openapi';

/** The committed description of `/v1`, beside the sources and in `dist` alike. */
export const DESCRIPTION = new URL('../../openapi.yaml', import.meta.url);

/** The same as JSON, where a build puts it: reading the YAML blocks a process for a quarter of a second. */
export const BUILT_DESCRIPTION = 'openapi.json';
const built = new URL(BUILT_DESCRIPTION, import.meta.url);

let parsed: OpenApiDocument | undefined;

/** As it was committed, which is read at once. */
export function descriptionAsYaml(): () => string {
  return held(DESCRIPTION);
}

/** As it was built, which is read at once; or, in a checkout, made of the YAML when it is asked for. */
export function descriptionAsJson(): () => string {
  return existsSync(built) ? held(built) : () => JSON.stringify(description());
}

/** As text it would take twelve times the memory, for as long as the process runs. */
function held(file: URL): () => string {
  const packed = deflateRawSync(readFileSync(file), { level: 1 });
  return () => inflateRawSync(packed).toString();
}

/** In a checkout, read once in a process. A built service has no need of the library, which takes half a megabyte. */
export function description(): OpenApiDocument {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  parsed ??= parse(readFileSync(DESCRIPTION, 'utf8')) as OpenApiDocument;
  return parsed;
}
