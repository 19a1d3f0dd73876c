import { SERVER, servedAt } from '@sightline/openapi/about';
import { LRUCache } from 'lru-cache';
import type { Reply, Request } from '../http/reply.ts';
import { StaticFile } from '../http/static-files.ts';
import { descriptionAsJson, descriptionAsYaml } from './description.ts';

/** Addresses that a document is kept for: a service has one or two, and clients may make up others. */
const MOST_ADDRESSES = 4;

/** RFC 1035, section 2.3.4, and a port. */
const LONGEST_HOST = 260;

/**
 * The committed description of `/v1`, by path, as it is served: with the service's own address. Its files are read once
 * and held: a new version may take their place while this one runs.
 * @param publicUrl the address for clients; that of their requests when left out
 * @throws where openapi.yaml is missing
 */
export function documentFiles(publicUrl?: string): Map<string, ServedDocument> {
  const [yaml, json] = [descriptionAsYaml(), descriptionAsJson()];
  return new Map([
    ['/openapi.yaml', new ServedDocument('application/yaml', publicUrl, url => yamlAt(yaml(), url))],
    ['/openapi.json', new ServedDocument('application/json', publicUrl, url => jsonAt(json(), url))],
  ]);
}

/** A document that names the address that it is served at. */
export class ServedDocument {
  #type: string;
  #publicUrl: string | undefined;
  #read: (url: string) => string;
  #files = new LRUCache<string, StaticFile>({ max: MOST_ADDRESSES });

  constructor(type: string, publicUrl: string | undefined, read: (url: string) => string) {
    this.#type = type;
    this.#publicUrl = publicUrl;
    this.#read = read;
  }

  /** The whole of it, for a request to this host. */
  read(host?: string): string {
    return this.#read(this.#urlFor(host));
  }

  reply(request: Pick<Request, 'method' | 'headers'>): Promise<Reply> {
    const { host } = request.headers;
    const url = this.#urlFor(typeof host === 'string' ? host : undefined);
    const known = this.#files.get(url) ?? this.#fileAt(url);
    this.#files.set(url, known);
    return known.reply(request);
  }

  #urlFor(host = ''): string {
    if (this.#publicUrl) return this.#publicUrl;
    return host === '' || host.length > LONGEST_HOST ? '/' : `http://${host}`;
  }

  #fileAt(url: string): StaticFile {
    return new StaticFile({
      contentType: `${this.#type}; charset=utf-8`,
      headers: { 'Cache-Control': 'no-cache' },
      read: () => this.#read(url),
    });
  }
}

function yamlAt(text: string, url: string): string {
  // JSON is YAML, and a library for one line would take half a megabyte.
  const servers = `servers:\n  - ${JSON.stringify(servedAt(url))}\n`;
  return text.replace(/^servers:\n(?: .*\n)+/m, () => servers);
}

function jsonAt(text: string, url: string): string {
  const servers = (server: object) => `"servers":${JSON.stringify([server])}`;
  return text.replace(servers(SERVER), () => servers(servedAt(url)));
}
