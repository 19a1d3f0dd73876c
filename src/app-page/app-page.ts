import { json, type Reply, type Request } from '../http/reply.ts';
import { Refusal } from '../http/respond.ts';
import { type StaticFiles, serveFile } from '../http/static-files.ts';
import { PAGE_PATH, pageFiles } from './files.ts';
import type { KeyForCode } from './sign-in.ts';

/** Where a one-time code is changed into its key. */
const SIGN_IN_PATH = `${PAGE_PATH}/sign-in`;

export function isPagePath(path: string): boolean {
  return path === PAGE_PATH || path.startsWith(`${PAGE_PATH}/`);
}

/** Answers requests for the page. Nothing of it is read before the first of them. */
export type AppPage = (request: Request) => Promise<Reply>;

export function createAppPage(oneTimeKey?: KeyForCode): AppPage {
  let files: Promise<StaticFiles> | undefined;
  return async request => {
    if (oneTimeKey && request.path === SIGN_IN_PATH) return signIn(request, oneTimeKey);
    files ??= pageFiles().catch(error => {
      files = undefined;
      throw error;
    });
    return serveFile(request, await files);
  };
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
