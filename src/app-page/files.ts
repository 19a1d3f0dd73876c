import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StaticFile, type StaticFiles } from '../http/static-files.ts';
import { CONTENT_SECURITY_POLICY, pageHtml } from './html.ts';

/** Where the service has its page. */
export const PAGE_PATH = '/app';

/** The folder, beside this file, into which a build puts what `bundlePage` makes. */
export const BUILT = 'built';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

interface PageFile {
  name: string;
  read(): Buffer;
}

/** The page and what it loads, by path: as they were built, or, in a checkout, bundled now. */
export async function pageFiles(): Promise<StaticFiles> {
  const files = builtIn() ?? (await bundled());
  const page = new StaticFile({
    contentType: 'text/html; charset=utf-8',
    read: () => pageHtml({ script: nameOf(files, 'js'), style: nameOf(files, 'css') }),
    headers: {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
    },
  });
  return new Map([[PAGE_PATH, page], ...files.map(loaded)]);
}

function loaded({ name, read }: PageFile): [path: string, file: StaticFile] {
  const contentType = CONTENT_TYPES[endingOf(name)]!;
  return [`${PAGE_PATH}/${name}`, new StaticFile({ contentType, read, headers: FOR_EVER })];
}

function builtIn(): PageFile[] | undefined {
  const folder = fileURLToPath(new URL(`./${BUILT}/`, import.meta.url));
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder).map(name => ({ name, read: () => readFileSync(join(folder, name)) }));
}

async function bundled(): Promise<PageFile[]> {
  const { bundlePage } = await import('./bundle.ts');
  return (await bundlePage()).map(({ name, content }) => ({ name, read: () => content }));
}

function nameOf(files: readonly PageFile[], ending: string): string {
  return files.find(({ name }) => endingOf(name) === ending)!.name;
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
