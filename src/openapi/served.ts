import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { StaticFile, StaticFiles } from '../http/static-files.ts';

/** Beside the sources and in `dist` alike. */
const FILE = new URL('../../openapi.yaml', import.meta.url);

/**
 * The committed description of `/v1`, by path, as it is served.
 * @throws where openapi.yaml is missing
 */
export function documentFiles(): StaticFiles {
  const yaml = readFileSync(FILE, 'utf8');
  const headers = { 'Cache-Control': 'no-cache' };
  let json: string | undefined;
  return new Map<string, StaticFile>([
    ['/openapi.yaml', { contentType: 'application/yaml; charset=utf-8', headers, body: yaml }],
    [
      '/openapi.json',
      {
        contentType: 'application/json; charset=utf-8',
        headers,
        // Reading so much YAML takes a good part of a second: not at every start, and not twice.
        get body() {
          json ??= JSON.stringify(parse(yaml));
          return json;
        },
      },
    ],
  ]);
}
