import { json, type Reply, type Request } from '../http/reply.ts';
import { Refusal } from '../http/respond.ts';
import type { StaticFiles } from '../http/static-files.ts';
import { filesBelow, pageFiles } from './files.ts';
import { createPage, type Page } from './page.ts';
import type { KeyForCode } from './sign-in.ts';

/** The path of the page. */
export const PAGE_PATH = '/app';

/** The path that changes a one-time code into its key. */
const SIGN_IN_PATH = `${PAGE_PATH}/sign-in`;

/** The page, and what signs in to it. @param built as for `pageFiles` */
export function createAppPage(oneTimeKey?: KeyForCode, built?: string): Page {
  const page = createPage(appFiles(built));
  return async request =>
    oneTimeKey && request.path === SIGN_IN_PATH ? signIn(request, oneTimeKey) : page(request);
}

/** Finds the page and what it loads, by path. @param built as for `pageFiles` */
export function appFiles(built?: string): () => Promise<StaticFiles> {
  const find = pageFiles('app', async () => (await import('@sightline/pages')).bundlePage(), built);
  return async () => filesBelow(PAGE_PATH, await find());
}

/** `{"code": "…"}` becomes `{"key": "…"}`, once. @throws {Refusal} `notFound`, `methodNotAllowed`, `malformed` */
async function signIn(request: Request, oneTimeKey: KeyForCode): Promise<Reply> {
  if (request.method !== 'POST') throw new Refusal('methodNotAllowed', { Allow: 'POST' });
  const key = await oneTimeKey.take(codeIn(await request.body()));
  if (key === undefined) throw new Refusal('notFound');
  return json(JSON.stringify({ key }));
}

function codeIn(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString()) as { code?: unknown } | null)?.code;
  } catch {
    throw new Refusal('malformed');
  }
}
