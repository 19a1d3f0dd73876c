import { accessSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { StaticFile } from '../http/static-files.ts';

/** Beside the sources and in `dist` alike. */
const FILE = new URL('../../openapi.yaml', import.meta.url);

/**
 * The committed description of `/v1`, by path, as it is served.
 * @throws where openapi.yaml is missing
 */
export function documentFiles(): Map<string, StaticFile> {
  accessSync(FILE);
  const headers = { 'Cache-Control': 'no-cache' };
  const yaml = () => readFileSync(FILE, 'utf8');
  let json: string | undefined;
  return new Map([
    [
      '/openapi.yaml',
      new StaticFile({ contentType: 'application/yaml; charset=utf-8', headers, read: yaml }),
    ],
    [
      '/openapi.json',
      new StaticFile({
        contentType: 'application/json; charset=utf-8',
        headers,
        // Reading so much YAML takes a good part of a second: not at every start, and not twice.
        read() {
          json ??= JSON.stringify(parse(yaml()));
          return json;
        },
      }),
    ],
  ]);
}
