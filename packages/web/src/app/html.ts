import type { PageAssets } from '../loaded.ts';

/** Returns the HTML of the page. Its script and stylesheet are served below `/app/`. */
export function pageHtml({ script, style }: PageAssets): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sightline</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="app/${style}">
<script type="module" src="app/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>This page needs JavaScript. The same data is at <code>/v1</code>: see <a href="docs">the documentation</a>.</p></noscript>
</body>
</html>
`;
}
