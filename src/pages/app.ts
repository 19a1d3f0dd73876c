import { json, type Reply, type Request } from '../http/reply.ts';
import { Refusal } from '../http/respond.ts';
import type { StaticFiles } from '../http/static-files.ts';
import { filesBelow, pageFiles } from './files.ts';
import { createPage, type Page } from './page.ts';
import type { KeyForCode } from './sign-in.ts';

/** The path of the page. */
export const PAGE_PATH = '/app';

/** The path that exchanges a one-time code for its key. */
const SIGN_IN_PATH = `${PAGE_PATH}/sign-in`;

interface AppPageOptions {
  oneTimeKey?: KeyForCode | undefined;
  /** See `pageFiles`. */
  built?: string | undefined;
  /** True if a proxy identifies the people who sign in. */
  isProxied?: boolean;
}

/** Serves the page and its sign-in. */
export function createAppPage({ oneTimeKey, built, isProxied = false }: AppPageOptions = {}): Page {
  const page = createPage(appFiles(built, isProxied));
  return async request =>
    oneTimeKey && request.path === SIGN_IN_PATH ? signIn(request, oneTimeKey) : page(request);
}

/**
 * Finds the page and its resources by path.
 * @param built as for `pageFiles`
 */
export function appFiles(built?: string, isProxied = false): () => Promise<StaticFiles> {
  const find = pageFiles('app', async () => (await import('@sightline/web')).bundlePage(), built);
  return async () =>
    filesBelow(PAGE_PATH, await find(), html =>
      isProxied ? html.replace('<html ', '<html data-login="proxy" ') : html,
    );
}

/** Exchanges `{"code": "…"}` for `{"key": "…"}`, once. @throws {Refusal} `notFound`, `methodNotAllowed`, `malformed` */
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
