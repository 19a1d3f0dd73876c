import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import Negotiator from 'negotiator';
import { type Coding, codingFor, compress, SMALLEST, WELL } from './compress.ts';
import { matches, tagOf } from './conditional.ts';
import { preference } from './preference.ts';
import type { Reply, Request } from './reply.ts';
import { notFoundWith, Refusal } from './respond.ts';

export interface StaticFileOptions {
  contentType: string;
  headers: Record<string, string>;
  /** The whole of it, whenever somebody needs that. It is not kept here. */
  read(): string | Buffer;
}

/** The memory for a cached file: a third of it, for both codings together. */
interface Known {
  tag: string;
  length: number;
  compressed: Map<Coding, Promise<Buffer>>;
}

/** A file that the service serves as it is. */
export class StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly read: () => string | Buffer;
  #known: Known | undefined;

  constructor({ contentType, headers, read }: StaticFileOptions) {
    this.headers = { 'Content-Type': contentType, ...headers };
    this.read = read;
  }

  async reply({ method, headers: asked }: Pick<Request, 'method' | 'headers'>): Promise<Reply> {
    let content: string | Buffer | undefined;
    const read = () => {
      content ??= this.read();
      return content;
    };
    this.#known ??= look(read());
    const known = this.#known;
    const headers: Record<string, string> = Object.assign({ Vary: 'Accept-Encoding' }, this.headers);
    headers.ETag = known.tag;
    if (matches(asked['if-none-match'], known.tag)) return { status: 304, headers, body: '' };
    const coding = known.length > SMALLEST ? codingFor(asked['accept-encoding']) : undefined;
    const compressed = coding && (await compressedOnce(coding, known, read));
    if (coding) headers['Content-Encoding'] = coding;
    if (method !== 'HEAD') return { status: 200, headers, body: compressed ?? read() };
    headers['Content-Length'] = String(compressed?.length ?? known.length);
    return { status: 200, headers, body: Readable.from([]) };
  }
}

function look(content: string | Buffer): Known {
  return {
    tag: tagOf(content),
    length: Buffer.byteLength(content),
    compressed: new Map(),
  };
}

function compressedOnce(coding: Coding, { compressed }: Known, read: () => string | Buffer): Promise<Buffer> {
  const known = compressed.get(coding) ?? compress(read(), coding, WELL);
  compressed.set(coding, known);
  return known;
}

/** An address that leads to another one. */
export class Redirect {
  readonly #location: string;

  constructor(location: string) {
    this.#location = location;
  }

  async reply(): Promise<Reply> {
    return { status: 302, headers: { Location: this.#location, 'Cache-Control': 'no-cache' }, body: '' };
  }
}

/** Answers a GET of a path. */
export interface Served {
  reply(request: Pick<Request, 'method' | 'headers'>): Promise<Reply>;
}

/** Files that are served as they are, by path. */
export type StaticFiles = ReadonlyMap<string, Served>;

/** The page for browsers that ask for what is not there; no request has a path like that. */
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

/** Tells whether a browser asks for a page: by name, since everything else accepts any type. */
export function asksForPage(method: string, { accept: header }: IncomingHttpHeaders): boolean {
  const accept = preference(header);
  if (method !== 'GET' || accept === undefined || !/text\/html/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } })
    .mediaTypes()
    .some(type => type.toLowerCase() === 'text/html');
}
