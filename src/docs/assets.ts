import { createHash } from 'node:crypto';
import { StaticFile } from '../http/static-files.ts';
import { type Page, plainPage, redocPage } from './page.ts';
import { findRedoc } from './redoc.ts';

const LICENCE = 'docs/redoc.LICENSE.txt';

/** The documentation page at `/docs`, and what it loads, by path. */
export function docsAssets(): Map<string, StaticFile> {
  const redoc = findRedoc(LICENCE);
  if (!redoc) return new Map([['/docs', pageFile(plainPage())]]);
  const script = `docs/redoc.${digest(redoc.script())}.js`;
  return new Map([
    ['/docs', pageFile(redocPage(script))],
    [`/${script}`, forEver('text/javascript; charset=utf-8', redoc.script)],
    [
      `/${LICENCE}`,
      new StaticFile({
        contentType: 'text/plain; charset=utf-8',
        read: redoc.licence,
        headers: { 'Cache-Control': 'no-cache' },
      }),
    ],
  ]);
}

export function pageFile({ html, policy }: Page): StaticFile {
  return new StaticFile({
    contentType: 'text/html; charset=utf-8',
    read: () => html,
    headers: {
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
    },
  });
}

/** Its name changes with its content. */
function forEver(contentType: string, read: () => Buffer): StaticFile {
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  return new StaticFile({ contentType, read, headers });
}

function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
