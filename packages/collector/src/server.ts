import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Bytes } from './bytes.ts';
import { boundConnections } from './connections.ts';
import type { CollectorCounts } from './counts.ts';
import { FairQueue } from './fair-queue.ts';
import { isForwarded } from './forward.ts';
import type { Delivery, EndpointKind, Intake } from './intake.ts';
import type { Clients } from './networks.ts';
import { Buckets, type Rate } from './rates.ts';
import { Share } from './share.ts';
import type { Tokens } from './tokens.ts';

/** Maximum size of a body in bytes. Chromium sends batches of up to 100 reports, each with the complete policy. */
const LONGEST_BODY = 1024 * 1024;

/** Maximum total size of bodies that are being received, in bytes. */
const MOST_UNREAD = 16 * 1024 * 1024;

/** Time limit for receiving a complete request, in milliseconds. */
const SLOWEST = 5000;

/** Maximum number of clients whose request rate is tracked. */
const MOST_CLIENTS = 20_000;

/** A header of all responses, because browsers require it for cross-origin requests. */
const ALLOWED = ['Access-Control-Allow-Origin', '*'];
const PREFLIGHT = [
  ...[...ALLOWED, 'Access-Control-Allow-Methods', 'POST'],
  ...['Access-Control-Allow-Headers', 'Content-Type', 'Access-Control-Max-Age', '86400'],
];
const LAST = [...ALLOWED, 'Connection', 'close'];

/** A body with a content coding is refused. An empty list has none (RFC 9110, section 8.4). */
const isEncoded = (codings = '') => !['', 'identity'].includes(codings.trim().toLowerCase());

/** Matches the path of a reporting address: the token and the disposition of the policy. */
const PATH = /^\/r\/([^/?]*)(?:\/(enforce|report|wizard))?(?:\?|$)/;

export interface CollectorServerSettings {
  tokens: Tokens;
  intake: Intake;
  counts: CollectorCounts;
  clients: Clients;
  /** Checks whether reports can be written. */
  isWritable(): Promise<boolean>;
  /** Maximum rate of requests per client. */
  rate: Rate;
}

type Answer = [status: number, headers?: readonly string[]];

/**
 * Serves the addresses to which browsers report. Responses have no body. Reports never get a 5xx status, because
 * browsers would retry.
 */
export class CollectorServer {
  readonly server: Server;
  /** Number of requests with unknown tokens. */
  unknownTokens = 0;
  #settings: CollectorServerSettings;
  #rates: Buckets;
  #unread: Share;
  #queue: FairQueue;
  #isClosing = false;

  constructor(settings: CollectorServerSettings) {
    this.#settings = settings;
    this.#rates = new Buckets(settings.rate, MOST_CLIENTS);
    const isShared = () => settings.tokens.accounts > 1;
    this.#unread = new Share(MOST_UNREAD, isShared);
    this.#queue = new FairQueue(isShared);
    this.server = createServer({
      headersTimeout: SLOWEST,
      requestTimeout: SLOWEST,
      connectionsCheckingInterval: 500,
      // Longer than proxies keep idle connections open: a connection closed during a request would lose the request.
      keepAliveTimeout: 75_000,
      // Disabled, because Node's own error response would lack the CORS header.
      requireHostHeader: false,
    });
    this.server.on('request', (request, response) => {
      const { method, url } = request;
      if (url === '/healthz' && (method === 'GET' || method === 'HEAD'))
        return void this.#replyHealth(response);
      const found = this.#enter(request);
      if (Array.isArray(found)) this.#end(response, ...found);
      else this.#read(request, response, found);
    });
    this.server.on('checkExpectation', (_, response) => this.#end(response, 417));
    this.server.on('clientError', (error, socket) => this.#refuse(error, socket));
    boundConnections(this.server, settings.clients);
  }

  /** Resolves when all running requests have been answered. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await new Promise(resolve => this.server.close(resolve));
  }

  async #replyHealth(response: ServerResponse): Promise<void> {
    this.#end(response, (await this.#settings.isWritable()) ? 200 : 503);
  }

  #enter(request: IncomingMessage): Answer | Delivery {
    const { method, url = '', headers } = request;
    if (url === '/healthz') return [405];
    const [path, name = '', kind = ''] = PATH.exec(url) ?? [];
    if (path === undefined) return [404];
    if (method === 'OPTIONS') return [204, PREFLIGHT];
    if (method !== 'POST') return [405, [...ALLOWED, 'Allow', 'POST, OPTIONS']];
    const { tokens, clients, counts } = this.#settings;
    const isInRate = this.#rates.take(clients.network(request), 1);
    const token = tokens.find(name);
    if (!token) {
      this.unknownTokens++;
      // The connection is closed, so that a client that guesses tokens needs a new one each time.
      return [404, isInRate ? ALLOWED : LAST];
    }
    if (isEncoded(headers['content-encoding'])) return [415, LAST];
    if (Number(headers['content-length'] ?? 0) > LONGEST_BODY) {
      counts.drop(token.account, '', 'tooLarge');
      return [413, LAST];
    }
    if (isInRate)
      return {
        token,
        kind: kind as EndpointKind,
        userAgent: headers['user-agent'] ?? '',
        contentType: headers['content-type'],
        isForwarded: isForwarded(headers.via),
      };
    counts.drop(token.account, '', 'unread');
    return [204];
  }

  #read(request: IncomingMessage, response: ServerResponse, delivery: Delivery): void {
    const { account } = delivery.token;
    let body = new Bytes();
    let isWhole = false;
    const free = () => {
      this.#unread.add(account, -body.size);
      body = new Bytes();
    };
    const stop = (status: 204 | 413) => {
      request.removeAllListeners('data').removeAllListeners('end');
      free();
      this.#settings.counts.drop(account, '', status === 204 ? 'unread' : 'tooLarge');
      this.#end(response, status, LAST);
    };
    request.on('data', (chunk: Buffer) => {
      if (body.length + chunk.length > LONGEST_BODY) return stop(413);
      if (!this.#unread.hasRoom(account, chunk.length)) return stop(204);
      const before = body.size;
      body.add(chunk);
      this.#unread.add(account, body.size - before);
    });
    request.on('end', () => {
      isWhole = true;
      const decide = () => {
        this.#end(response, this.#settings.intake.take(delivery, body.whole()));
        free();
      };
      if (!this.#queue.add(account, decide)) stop(204);
    });
    request.on('close', () => {
      if (!isWhole) free();
    });
  }

  #end(response: ServerResponse, status: number, headers: readonly string[] = ALLOWED): void {
    this.#settings.counts.answered(status);
    const all = this.#isClosing && headers !== LAST ? [...headers, 'Connection', 'close'] : headers;
    response.writeHead(status, (status === 204 ? all : [...all, 'Content-Length', '0']) as string[]);
    if (headers !== LAST || response.req.complete || !response.socket) return void response.end();
    // Closing a connection with unread bytes resets it, and a client that is still sending would lose the response.
    response.flushHeaders();
    response.socket.end();
    response.req.resume().on('end', () => response.req.destroy());
  }

  /** Responds to malformed requests. */
  #refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    this.#settings.counts.answered(Number.parseInt(status, 10));
    const head = `HTTP/1.1 ${status}\r\n${ALLOWED.join(': ')}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    socket.end(head, () => socket.destroy());
  }
}
