import { SERVER, servedAt } from '@sightline/openapi/description';
import { LONGEST_HOST } from '@sightline/reports';
import { LRUCache } from 'lru-cache';
import type { Reply, Request } from '../http/reply.ts';
import { StaticFile } from '../http/static-files.ts';
import { descriptionAsJson, descriptionAsYaml } from './description.ts';

/**
 * The maximum number of cached versions of a document, by host. A service has one or two hosts, but clients can send
 * any.
 */
const MOST_ADDRESSES = 4;

/** The maximum length of a Host header, whose name can end in a dot. */
const LONGEST_HEADER = LONGEST_HOST + '.:65535'.length;

/**
 * The committed description of `/v1` with the service's address, by path. Its files are read once, because an upgrade
 * can replace them while this version runs.
 * @param publicUrl the public address; by default that of the request
 * @throws if openapi.yaml is missing
 */
export function documentFiles(publicUrl?: string): Map<string, ServedDocument> {
  const [yaml, json] = [descriptionAsYaml(), descriptionAsJson()];
  return new Map([
    ['/openapi.yaml', new ServedDocument('application/yaml', publicUrl, url => yamlAt(yaml(), url))],
    ['/openapi.json', new ServedDocument('application/json', publicUrl, url => jsonAt(json(), url))],
  ]);
}

/** A document that contains the URL at which it is served. */
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

  /** Returns the complete document for a request to this host. */
  read(host?: string): string {
    return this.#read(this.#urlFor(host));
  }

  reply(request: Pick<Request, 'method' | 'headers'>): Promise<Reply> {
    const { host } = request.headers;
    const url = this.#urlFor(typeof host === 'string' ? host : undefined);
    const existing = this.#files.get(url) ?? this.#fileAt(url);
    this.#files.set(url, existing);
    return existing.reply(request);
  }

  #urlFor(host = ''): string {
    if (this.#publicUrl) return this.#publicUrl;
    return host === '' || host.length > LONGEST_HEADER ? '/' : `http://${host}`;
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
  // JSON is valid YAML, so no YAML library is needed.
  const servers = `servers:\n  - ${JSON.stringify(servedAt(url))}\n`;
  return text.replace(/^servers:\n(?: .*\n)+/m, () => servers);
}

function jsonAt(text: string, url: string): string {
  const servers = (server: object) => `"servers":${JSON.stringify([server])}`;
  return text.replace(servers(SERVER), () => servers(servedAt(url)));
}
