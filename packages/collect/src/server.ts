import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Bytes } from './bytes.ts';
import { boundConnections } from './connections.ts';
import type { Counts } from './counts.ts';
import type { Delivery, Intake, Kind } from './intake.ts';
import type { Clients } from './networks.ts';
import { Buckets, type Rate } from './rates.ts';
import type { Tokens } from './tokens.ts';

const LONGEST_BODY = 64 * 1024;

/** Bytes of all bodies whose end has not come. */
const MOST_UNENDED = 8 * 1024 * 1024;

/** Milliseconds within which a request is there in full. */
const SLOWEST = 5000;

/** Clients whose rate is known at once. */
const MOST_CLIENTS = 20_000;

/** Every answer has it: without it a browser takes none from another origin. */
const ALLOWED = ['Access-Control-Allow-Origin', '*'];
const PREFLIGHT = [
  ...[...ALLOWED, 'Access-Control-Allow-Methods', 'POST'],
  ...['Access-Control-Allow-Headers', 'Content-Type', 'Access-Control-Max-Age', '86400'],
];
const LAST = [...ALLOWED, 'Connection', 'close'];

/** The token, and how the policy was set. */
const PATH = /^\/r\/([^/?]*)(?:\/(enforce|report|wizard))?(?:\?|$)/;

export interface DoorwaySettings {
  tokens: Tokens;
  intake: Intake;
  counts: Counts;
  clients: Clients;
  /** The rate of a client, in requests. */
  rate: Rate;
}

type Answer = [status: number, headers?: readonly string[]];

/** The addresses that browsers know. No answer has a body, and none is a 5xx: nothing is to be tried again. */
export class Doorway {
  readonly server: Server;
  /** Requests with a token that there is not. */
  strangers = 0;
  #settings: DoorwaySettings;
  #rates: Buckets;
  #unended = 0;
  #isClosing = false;

  constructor(settings: DoorwaySettings) {
    this.#settings = settings;
    this.#rates = new Buckets(settings.rate, MOST_CLIENTS);
    this.server = createServer({
      headersTimeout: SLOWEST,
      requestTimeout: SLOWEST,
      connectionsCheckingInterval: 500,
      // Longer than proxies keep theirs: one that is closed under a request loses it.
      keepAliveTimeout: 75_000,
      // Node's own refusal would lack our header.
      requireHostHeader: false,
    });
    this.server.on('request', (request, response) => {
      const found = this.#enter(request);
      if (Array.isArray(found)) this.#end(response, ...found);
      else this.#read(request, response, found);
    });
    this.server.on('checkExpectation', (_, response) => this.#end(response, 417));
    this.server.on('clientError', (error, socket) => this.#refuse(error, socket));
    boundConnections(this.server, settings.clients);
  }

  /** Answers when every request that was begun has its answer. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await new Promise(resolve => this.server.close(resolve));
  }

  #enter(request: IncomingMessage): Answer | Delivery {
    const { method, url = '', headers } = request;
    if (url === '/healthz') return [method === 'GET' || method === 'HEAD' ? 200 : 405];
    const [path, name = '', kind = ''] = PATH.exec(url) ?? [];
    if (path === undefined) return [404];
    if (method === 'OPTIONS') return [204, PREFLIGHT];
    if (method !== 'POST') return [405, [...ALLOWED, 'Allow', 'POST, OPTIONS']];
    const { tokens, clients, counts } = this.#settings;
    const isInRate = this.#rates.take(clients.network(request), 1);
    const token = tokens.find(name);
    if (!token) {
      this.strangers++;
      // One that goes on guessing begins with a connection each time.
      return [404, isInRate ? ALLOWED : LAST];
    }
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') return [415, LAST];
    if (Number(headers['content-length'] ?? 0) > LONGEST_BODY) return [413, LAST];
    if (isInRate) return { token, kind: kind as Kind, userAgent: headers['user-agent'] ?? '' };
    counts.drop(token.account, '', 'unread');
    return [204];
  }

  #read(request: IncomingMessage, response: ServerResponse, delivery: Delivery): void {
    let body = new Bytes();
    const free = () => {
      this.#unended -= body.size;
      body = new Bytes();
    };
    const stop = (status: 204 | 413) => {
      request.removeAllListeners('data').removeAllListeners('end');
      free();
      if (status === 204) this.#settings.counts.drop(delivery.token.account, '', 'unread');
      this.#end(response, status, LAST);
    };
    request.on('data', (chunk: Buffer) => {
      if (body.length + chunk.length > LONGEST_BODY) return stop(413);
      const before = body.size;
      body.add(chunk);
      this.#unended += body.size - before;
      if (this.#unended > MOST_UNENDED) stop(204);
    });
    request.on('end', () => this.#end(response, this.#settings.intake.take(delivery, body.whole())));
    request.on('close', free);
  }

  #end(response: ServerResponse, status: number, headers: readonly string[] = ALLOWED): void {
    this.#settings.counts.answered(status);
    const all = this.#isClosing && headers !== LAST ? [...headers, 'Connection', 'close'] : headers;
    response.writeHead(status, (status === 204 ? all : [...all, 'Content-Length', '0']) as string[]);
    if (headers !== LAST || response.req.complete || !response.socket) return void response.end();
    // A connection that closes on unread bytes is reset, and a client that still sends loses its answer.
    response.flushHeaders();
    response.socket.end();
    response.req.resume().on('end', () => response.req.destroy());
  }

  /** Answers requests that Node could not read. */
  #refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    this.#settings.counts.answered(Number.parseInt(status, 10));
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const head = `HTTP/1.1 ${status}\r\n${ALLOWED.join(': ')}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    socket.end(head, () => socket.destroy());
  }
}
