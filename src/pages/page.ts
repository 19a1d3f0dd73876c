import type { Reply, Request } from '../http/reply.ts';
import { type StaticFiles, serveFile } from '../http/static-files.ts';

/** Answers requests for a page and what it loads. */
export type Page = (request: Request) => Promise<Reply>;

/** A page whose files are looked for at the first request, and again where that has failed. */
export function createPage(find: () => Promise<StaticFiles>): Page {
  let files: Promise<StaticFiles> | undefined;
  return async request => {
    files ??= find().catch(error => {
      files = undefined;
      throw error;
    });
    return serveFile(request, await files);
  };
}

/** Tells whether a path is a page's, or below it. */
export function isBelow(page: string, path: string): boolean {
  return path === page || path.startsWith(`${page}/`);
}
