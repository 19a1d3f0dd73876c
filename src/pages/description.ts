import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { OpenApiDocument } from '@sightline/openapi';

/** The committed description of `/v1`, next to the sources and in `dist` alike. */
export const DESCRIPTION = new URL('../../openapi.yaml', import.meta.url);

/** The same file as JSON in a build, since parsing the YAML blocks the process for a quarter of a second. */
export const BUILT_DESCRIPTION = 'openapi.json';
const built = new URL(BUILT_DESCRIPTION, import.meta.url);

let parsed: OpenApiDocument | undefined;

/** Reads the committed file synchronously. */
export function descriptionAsYaml(): () => string {
  return holdFile(DESCRIPTION);
}

/** Reads the built file synchronously; in a checkout, it is generated from the YAML on request. */
export function descriptionAsJson(): () => string {
  return existsSync(built) ? holdFile(built) : () => JSON.stringify(description());
}

/** Cached in compressed form, because the text takes twelve times the memory. */
function holdFile(file: URL): () => string {
  const packed = deflateRawSync(readFileSync(file), { level: 1 });
  return () => inflateRawSync(packed).toString();
}

/** Parsed once per process in a checkout. A build does not need the YAML library, which takes half a megabyte. */
export function description(): OpenApiDocument {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  parsed ??= parse(readFileSync(DESCRIPTION, 'utf8')) as OpenApiDocument;
  return parsed;
}
