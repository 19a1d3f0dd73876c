import { createHash } from 'node:crypto';
import type { StaticFile } from '../http/static-files.ts';
import { htmlFile } from './files.ts';

const STYLE = ':root{color-scheme:light dark}body{margin:2rem;font:1rem/1.5 system-ui,sans-serif}';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Creates the page for browsers that request a missing path.
 * @param places existing pages by path, with their names
 */
export function nowherePage(places: readonly [path: string, name: string][]): StaticFile {
  const links = places.map(([path, name]) => `<li><a href="${path}">${name}</a></li>`).join('');
  return htmlFile(
    () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nothing is here · Sightline</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main><h1>Nothing is here</h1><p>This service has:</p><ul>${links}</ul></main></body>
</html>
`,
    POLICY,
  );
}
