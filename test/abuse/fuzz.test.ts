import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW, team } from '../support/fixtures.ts';
import { type RawAnswer, RawConnection } from '../support/raw-connection.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Input, input } from './fuzz-inputs.ts';

/** Concurrent requests, and rounds. */
const AT_ONCE = 20;
const ROUNDS = IN_EARNEST ? 1000 : 15;
const SLOWEST = 3000;

let service: TestService;
let keys: string[];
const idle: RawConnection[] = [];

beforeAll(async () => {
  service = await startService({ now: NOW, mayFail: true });
  await service.load(team('ada'), ...belongings('ada'));
  keys = [await service.key('team', 'ada'), await service.key('internal')];
});
afterAll(async () => {
  for (const connection of idle) connection.close();
  await service.close();
});

it.each(IN_EARNEST ? [1, 20260520, 4711] : [1])(
  `the service responds correctly to ${AT_ONCE * ROUNDS} random requests with seed %i`,
  { tags: 'slow', ...(IN_EARNEST ? { timeout: 3_600_000 } : {}) },
  async seed => {
    const property = fc.asyncProperty(
      fc.array(input, { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async inputs => {
        await Promise.all(inputs.map(check));
      },
    );
    await fc.assert(property, {
      seed,
      numRuns: ROUNDS,
      endOnFailure: true,
    });
  },
);

async function check(input: Input): Promise<void> {
  const begun = performance.now();
  const answer = await (input.isWhole ? exchange(input) : exchangeDamaged(input));
  const took = performance.now() - begun;
  try {
    if (answer) expectSound(answer);
    else expect(input.isWhole, 'no answer').toBe(false);
    if (IN_EARNEST) expect(took).toBeLessThan(SLOWEST);
  } catch (error) {
    throw new Error(`${JSON.stringify(input)}: ${(error as Error).message}`);
  }
}

function expectSound({ status, headers, body }: RawAnswer): void {
  expect(status, body).toBeLessThan(500);
  expect(headers.get('x-request-id')).toMatch(/^[\w.:/+=@-]{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.has('cache-control')).toBe(true);
  expect(body).not.toMatch(/node_modules|\.[jt]s:\d+|PostgresError|syntax error at/);
  if (status === 304 || isPage(status, headers)) return;
  if (status >= 400) expectError(headers, body);
  else if (!headers.has('content-encoding') && headers.get('content-type')?.includes('json'))
    JSON.parse(body);
}

/** A browser gets an HTML page for a missing path. */
const isPage = (status: number, headers: ReadonlyMap<string, string>) =>
  status === 404 && headers.get('content-type') === 'text/html; charset=utf-8';

function expectError(headers: ReadonlyMap<string, string>, body: string): void {
  expect(headers.get('content-type')).toMatch(/^application\/(json|graphql-response\+json); charset=utf-8$/);
  expect(headers.has('content-encoding')).toBe(false);
  const { error, errors } = JSON.parse(body);
  if (errors === undefined) expect(error).toMatch(/^[A-Z]/);
  else expect(errors[0].message).toMatch(/./);
}

/** Uses a persistent connection as long as the service keeps it open. */
async function exchange(input: Input): Promise<RawAnswer | undefined> {
  const reused = idle.pop();
  const connection = reused ?? new RawConnection(service.url);
  connection.write(withKey(input.request));
  let answer = await connection.read();
  // The service may have closed the connection before the request was written.
  if (!answer && reused) return exchange(input);
  while (answer?.status === 100) answer = await connection.read();
  if (answer?.headers.get('connection') === 'keep-alive') idle.push(connection);
  else connection.close();
  return answer;
}

/** Uses a new connection each time, because an input can be incomplete or contain two requests. */
async function exchangeDamaged({ request }: Input): Promise<RawAnswer | undefined> {
  const connection = new RawConnection(service.url);
  connection.write(withKey(request));
  const answer = await Promise.race([connection.read(), sleep(100, undefined)]);
  connection.socket.resetAndDestroy();
  return answer;
}

function withKey(request: string): Buffer {
  const key = keys[request.length % keys.length]!;
  return Buffer.from(request.replaceAll('KEY', key), 'latin1');
}
