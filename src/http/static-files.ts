import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Coding, codingFor, compress, SMALLEST, WELL } from './compress.ts';
import { matches, toEntityTag } from './conditional.ts';
import { namesType } from './negotiate.ts';
import type { Reply, Request } from './reply.ts';
import { notFoundWith, Refusal } from './respond.ts';

export interface StaticFileOptions {
  contentType: string;
  headers: Record<string, string>;
  /** Loads the content. The result is not cached here. */
  read(): string | Buffer;
}

/** The cached parts of a file; its compressed forms together take about a third of its size. */
interface FileMemory {
  tag: string;
  length: number;
  compressed: Map<Coding, Promise<Buffer>>;
}

/** A file that is served unchanged. */
export class StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly read: () => string | Buffer;
  #cache: FileMemory | undefined;

  constructor({ contentType, headers, read }: StaticFileOptions) {
    this.headers = { 'Content-Type': contentType, ...headers };
    this.read = read;
  }

  async reply({ method, headers: requestHeaders }: Pick<Request, 'method' | 'headers'>): Promise<Reply> {
    let content: string | Buffer | undefined;
    const read = () => {
      content ??= this.read();
      return content;
    };
    this.#cache ??= look(read());
    const existing = this.#cache;
    const headers: Record<string, string> = Object.assign({ Vary: 'Accept-Encoding' }, this.headers);
    headers.ETag = existing.tag;
    const ifNoneMatch = requestHeaders['if-none-match'];
    // "*" matches every file, because each one exists.
    if (ifNoneMatch === '*' || matches(ifNoneMatch, existing.tag)) return { status: 304, headers, body: '' };
    const coding = existing.length > SMALLEST ? codingFor(requestHeaders['accept-encoding']) : undefined;
    const compressed = coding && (await compressedOnce(coding, existing, read));
    if (coding) headers['Content-Encoding'] = coding;
    if (method !== 'HEAD') return { status: 200, headers, body: compressed ?? read() };
    headers['Content-Length'] = String(compressed?.length ?? existing.length);
    return { status: 200, headers, body: Readable.from([]) };
  }
}

function look(content: string | Buffer): FileMemory {
  return {
    tag: toEntityTag(content),
    length: Buffer.byteLength(content),
    compressed: new Map(),
  };
}

function compressedOnce(
  coding: Coding,
  { compressed }: FileMemory,
  read: () => string | Buffer,
): Promise<Buffer> {
  const existing = compressed.get(coding) ?? compress(read(), coding, WELL);
  compressed.set(coding, existing);
  return existing;
}

/** An address that redirects to another one. */
export class Redirect {
  readonly #location: string;

  constructor(location: string) {
    this.#location = location;
  }

  async reply(): Promise<Reply> {
    return { status: 302, headers: { Location: this.#location, 'Cache-Control': 'no-cache' }, body: '' };
  }
}

/** Responds to a GET request for a path. */
export interface StaticFileHandler {
  reply(request: Pick<Request, 'method' | 'headers'>): Promise<Reply>;
}

/** Files that are served unchanged, by path. */
export type StaticFiles = ReadonlyMap<string, StaticFileHandler>;

/** The page for browsers that request a missing path. No request can have this path. */
export const NOWHERE = 'nowhere';

/** @throws {Refusal} `notFound`, `methodNotAllowed` */
export async function serveFile(request: Request, files: StaticFiles): Promise<Reply> {
  const found = files.get(request.path);
  if (!found || request.path === NOWHERE) {
    const page = asksForPage(request.method, request.headers) ? files.get(NOWHERE) : undefined;
    if (!page) throw new Refusal('notFound');
    return notFoundWith(await page.reply({ ...request, headers: {} }));
  }
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') throw new Refusal('methodNotAllowed', { Allow: 'GET, HEAD' });
  return found.reply(request);
}

/** Detects a browser that requests a page: unlike other clients, it names `text/html` explicitly. */
export function asksForPage(method: string, { accept }: IncomingHttpHeaders): boolean {
  return method === 'GET' && namesType(accept, 'text/html');
}
