import type { Reply, Request } from '../http/reply.ts';
import { type StaticFiles, serveFile } from '../http/static-files.ts';

/** Answers requests for a page and its resources. */
export type Page = (request: Request) => Promise<Reply>;

/** Creates a page whose files are located on the first request. After a failure, the next request tries again. */
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

/** Checks whether a path is a page or below one. */
export function isBelow(page: string, path: string): boolean {
  return path === page || path.startsWith(`${page}/`);
}
