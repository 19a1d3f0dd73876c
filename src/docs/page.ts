import { createHash } from 'node:crypto';

export interface Page {
  html: string;
  /** The Content-Security-Policy that it is to be served with. */
  policy: string;
}

const STYLE =
  ':root{color-scheme:light dark}body{margin:0}noscript,main{display:block;margin:2rem;font:1rem/1.5 system-ui,sans-serif}';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const CODE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** https://github.com/Redocly/redoc/blob/v2.5.4/docs/config.md */
const OPTIONS = {
  downloadUrls: [
    { title: 'openapi.yaml', url: 'openapi.yaml' },
    { title: 'openapi.json', url: 'openapi.json' },
  ],
  expandResponses: '200',
  jsonSamplesExpandLevel: 'all',
  nativeScrollbars: true,
  requiredPropsFirst: true,
  theme: {
    typography: {
      fontFamily: FONT,
      headings: { fontFamily: FONT },
      code: { fontFamily: CODE },
    },
  },
};

/** What the page shows; the description itself has no samples. */
export const REFERENCE = '/docs/reference.json';

const START = `Redoc.init('${REFERENCE.slice(1)}',${JSON.stringify(OPTIONS)},document.getElementById('redoc'))`;

/** The styles of scroll bars in Redoc's script, as a browser names them when they are not allowed. */
const SCROLL_BARS = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

const LINKS = '<a href="openapi.yaml">openapi.yaml</a> and <a href="openapi.json">openapi.json</a>';

/** @param script address of Redoc, relative to the page */
export function redocPage(script: string): Page {
  return {
    html: html(
      `<noscript>This page needs JavaScript. The description itself is in ${LINKS}.</noscript>` +
        `<div id="redoc"></div><script src="${script}"></script><script>${START}</script>`,
    ),
    policy: [
      "default-src 'none'",
      `script-src 'self' ${hash(START)}`,
      // Redoc makes empty style elements, which it fills by script, and one for its scroll bars.
      `style-src ${hash(STYLE)} ${hash('')} ${SCROLL_BARS}`,
      'img-src data:',
      "connect-src 'self'",
      // The search runs in a worker that the script makes.
      'worker-src blob:',
      ...NOTHING_ELSE,
    ].join('; '),
  };
}

/** Where Redoc is not there. */
export function plainPage(): Page {
  return {
    html: html(
      `<main><h1>Sightline API</h1><p>The description is in ${LINKS}. This installation came without the package that shows it as a page.</p></main>`,
    ),
    policy: ["default-src 'none'", `style-src ${hash(STYLE)}`, 'img-src data:', ...NOTHING_ELSE].join('; '),
  };
}

/** For a browser that asked for what is not there. @param places where there is something, and its name */
export function nowherePage(places: readonly [path: string, name: string][]): Page {
  const links = places.map(([path, name]) => `<li><a href="${path}">${name}</a></li>`).join('');
  return {
    html: html(`<main><h1>Nothing is here</h1><p>This service has:</p><ul>${links}</ul></main>`),
    policy: ["default-src 'none'", `style-src ${hash(STYLE)}`, 'img-src data:', ...NOTHING_ELSE].join('; '),
  };
}

const NOTHING_ELSE = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

function html(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sightline API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>${body}</body>
</html>
`;
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
