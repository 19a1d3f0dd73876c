import { connect } from 'node:net';

export interface PostResult {
  answers: number;
  /** The number of responses with a status other than 204. */
  others: number;
  /** Response times in milliseconds, sorted. */
  times: number[];
}

/**
 * Sends requests over this many connections for a time in milliseconds, each after the response to the previous one.
 * @param isAwake keeps the client from sleeping, because waking it would cost the server processor time, which a slow
 * server would pay more often
 */
export async function postAll(
  url: string,
  request: () => Buffer,
  connections: number,
  milliseconds: number,
  isAwake = false,
): Promise<PostResult> {
  const posted: PostResult = { answers: 0, others: 0, times: [] };
  const until = performance.now() + milliseconds;
  let isOver = false;
  const stayAwake = () => void (isOver || setImmediate(stayAwake));
  if (isAwake) stayAwake();
  await Promise.all(
    Array.from({ length: connections }, () => postOver(new URL(url), request, until, posted)),
  );
  isOver = true;
  posted.times.sort((one, other) => one - other);
  return posted;
}

function postOver(
  { hostname, port }: URL,
  request: () => Buffer,
  until: number,
  posted: PostResult,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let begun = 0;
    const send = () => {
      begun = performance.now();
      socket.write(request());
    };
    socket.on('connect', send);
    // A response without a body is a single chunk.
    socket.on('data', answer => {
      posted.answers++;
      if (!answer.subarray(9, 12).equals(NO_CONTENT)) posted.others++;
      posted.times.push(performance.now() - begun);
      if (performance.now() < until) send();
      else socket.end(() => resolve());
    });
    socket.on('error', reject);
  });
}

const NO_CONTENT = Buffer.from('204');

/** Formats a request as a proxy forwards it. */
export function toRequest(path: string, body: string, address: string): Buffer {
  return Buffer.from(
    [
      `POST ${path} HTTP/1.1`,
      'Host: reports.example',
      'Content-Type: application/reports+json',
      'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'Origin: https://acme.example',
      `X-Forwarded-For: ${address}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

/** A violation report as Chrome sends it, 1 KB long. */
export function readBody(): string {
  const policy = `default-src 'self'; script-src 'self' ${'https://cdn.example '.repeat(16)}; report-to csp`;
  const body = {
    blockedURL: 'https://tracker.example/pixel.js',
    columnNumber: 12,
    disposition: 'enforce',
    documentURL: 'https://acme.example/checkout/cart?step=2',
    effectiveDirective: 'script-src-elem',
    lineNumber: 345,
    originalPolicy: policy,
    referrer: 'https://acme.example/',
    sample: '',
    sourceFile: 'https://acme.example/checkout/cart',
    statusCode: 200,
  };
  return JSON.stringify([
    {
      age: 2,
      body,
      type: 'csp-violation',
      url: 'https://acme.example/checkout/cart?step=2',
      user_agent: AGENT,
    },
  ]);
}

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
