import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Both are read whenever they are asked for. */
export interface Redoc {
  /** The script of the page. @throws where Redoc is another version than the one that is known */
  script(): Buffer;
  /** The licences of all that is in it. */
  licence(): string;
}

export const REDOC_FILES = {
  script: 'bundles/redoc.standalone.js',
  notices: 'bundles/redoc.standalone.js.LICENSE.txt',
  licence: 'LICENSE',
};

const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_PICTURE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>";
const CREDIT = 'href:"https://redocly.com/redoc/"';

/**
 * Redoc without its two outside addresses: a logo that it would load, and a credit that now leads to its licence.
 * @param licencePath relative to the page
 * @returns undefined where Redoc is not installed and was not built in
 */
export function findRedoc(licencePath: string): Redoc | undefined {
  const folder = builtIn() ?? installed();
  if (!folder) return undefined;
  const read = (file: string) => readFileSync(join(folder, file));
  return {
    script() {
      const withoutLogo = replaceOne(read(REDOC_FILES.script), LOGO, NO_PICTURE);
      return replaceOne(withoutLogo, CREDIT, `href:${JSON.stringify(licencePath)}`);
    },
    licence: () => `${read(REDOC_FILES.licence)}\n${read(REDOC_FILES.notices)}`,
  };
}

/** A build brings it along, so that it needs no package at run time. */
function builtIn(): string | undefined {
  const folder = fileURLToPath(new URL('./redoc/', import.meta.url));
  return existsSync(folder) ? folder : undefined;
}

/** The package of a checkout. */
export function installed(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('redoc/package.json'));
  } catch {
    return undefined;
  }
}

/** In bytes: as a text it would take twice the memory. */
function replaceOne(content: Buffer, from: string, to: string): Buffer {
  const at = content.indexOf(from);
  if (at < 0 || content.lastIndexOf(from) !== at) {
    throw new Error(`Redoc is of a version that is not known here: it does not hold ${from} once`);
  }
  return Buffer.concat([content.subarray(0, at), Buffer.from(to), content.subarray(at + from.length)]);
}
