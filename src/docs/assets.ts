import { createHash } from 'node:crypto';
import type { StaticFile, StaticFiles } from '../http/static-files.ts';
import { type Page, plainPage, redocPage } from './page.ts';
import { readRedoc } from './redoc.ts';

const LICENCE = 'docs/redoc.LICENSE.txt';

/** The documentation page at `/docs`, and what it loads, by path. Read once, at the start. */
export function docsAssets(): StaticFiles {
  const redoc = readRedoc(LICENCE);
  if (!redoc) return new Map([['/docs', pageFile(plainPage())]]);
  const script = `docs/redoc.${digest(redoc.script)}.js`;
  return new Map([
    ['/docs', pageFile(redocPage(script))],
    [`/${script}`, forEver('text/javascript; charset=utf-8', redoc.script)],
    [
      `/${LICENCE}`,
      {
        contentType: 'text/plain; charset=utf-8',
        body: redoc.licence,
        headers: { 'Cache-Control': 'no-cache' },
      },
    ],
  ]);
}

function pageFile({ html, policy }: Page): StaticFile {
  return {
    contentType: 'text/html; charset=utf-8',
    body: html,
    headers: {
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
    },
  };
}

/** Its name changes with its content. */
function forEver(contentType: string, body: string): StaticFile {
  return { contentType, body, headers: { 'Cache-Control': 'public, max-age=31536000, immutable' } };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
