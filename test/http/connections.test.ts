import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personal, plan } from '../support/fixtures.ts';
import { manyEvents } from '../support/many-events.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { startWatchedService, type WatchedService } from '../support/watched-service.ts';

/** More than four pages of the audit trail, and more than the connection buffers. */
const EVENTS = 15_000;

let service: WatchedService;
let key: string;

beforeAll(async () => {
  service = await startWatchedService({ RATE_LIMIT_MAX: '1000000' });
  await service.load(personal('ada'), plan('ada'));
  await service.sql(manyEvents('ada', EVENTS, { message: "repeat('m', 700)" }));
  key = await service.key('personal', 'ada');
});
afterAll(() => service[Symbol.asyncDispose]());

/** Waits until exactly this many requests are in progress. */
const atWork = (count: number) =>
  until(async () => expect(await service.metric('sightline_requests_at_work')).toBe(count));

const head = (line: string, ...lines: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
const get = (path: string, ...lines: string[]) =>
  head(`GET ${path}`, `Authorization: Bearer ${key}`, ...lines);
const post = (...lines: string[]) =>
  head('POST /graphql', `Authorization: Bearer ${key}`, 'Content-Type: application/json', ...lines);

async function statuses(connection: RawConnection): Promise<number[]> {
  return (await connection.readAll()).map(({ status }) => status);
}

async function exchange(request: string): Promise<number[]> {
  const connection = new RawConnection(service.url);
  connection.write(request);
  return statuses(connection);
}

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const connection = new RawConnection(service.url);
    connection.write(
      get('/v1/plan') +
        get('/v1/nothing') +
        head('GET /healthz') +
        get('/v1/me') +
        get('/v1', 'Connection: close'),
    );
    const answers = await connection.readAll();
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 404]);
    expect(answers[3]!.body).toContain('"email"');
  });

  it('are all answered, even if there are a thousand', async () => {
    const many = await exchange(get('/v1/me').repeat(999) + get('/v1/me', 'Connection: close'));
    expect(many).toEqual(Array(1000).fill(200));
  });

  it('are answered before a malformed request is refused', { tags: 'slow' }, async () => {
    expect(await exchange(`${get('/v1/me')}${get('/v1/plan')}nonsense\r\n\r\n`)).toEqual([200, 200, 400]);
    expect(await exchange(`${get('/v1/audit-log')}nonsense\r\n\r\n`)).toEqual([200, 400]);
    expect(await exchange(`${get('/v1/me', 'Expect: nothing')}nonsense\r\n\r\n`)).toEqual([200, 400]);
    expect(await exchange(`${get('/v1/me', 'Connection: close')}nonsense\r\n\r\n`)).toEqual([200]);
  });

  it('are abandoned when the client disconnects', async () => {
    const unlock = await service.lock('csp_policy');
    const connection = new RawConnection(service.url);
    connection.write(get('/v1/policies/csp').repeat(5));
    await atWork(5);
    connection.close();
    await atWork(0);
    await unlock();
  });
});

describe('a request body', () => {
  it('is refused before it arrives if its announced length is too large', async () => {
    const connection = new RawConnection(service.url);
    connection.write(post('Content-Length: 1048577'));
    expect((await connection.read())!.status).toBe(413);
    connection.close();
  });

  it('is refused when it grows too large, and the connection stays usable', async () => {
    const connection = new RawConnection(service.url);
    connection.write(`${post('Transfer-Encoding: chunked')}80000\r\n${'x'.repeat(0x80000)}\r\n`);
    await sleep(50);
    connection.write(`90000\r\n${'x'.repeat(0x90000)}\r\n`);
    const answer = (await connection.read())!;
    expect([answer.status, answer.body]).toEqual([413, '{"error":"Request body too large"}']);
    connection.write(`0\r\n\r\n${get('/v1/me', 'Connection: close')}`);
    expect(await statuses(connection)).toEqual([200]);
  });

  it('causes no error log if the client disconnects in the middle', async () => {
    const connection = new RawConnection(service.url);
    connection.write(`${post('Content-Length: 100')}{"query":`);
    await atWork(1);
    connection.close();
    await service.lines('the connection ended before the response');
    await atWork(0);
    expect(await service.lines('a request failed', 0)).toEqual([]);
  });

  it('gets only one response if it is malformed', async () => {
    const broken = 'zz\r\n\r\n';
    expect(await exchange(`${get('/v1/me', 'Transfer-Encoding: chunked')}${broken}`)).toEqual([400]);
    const connection = new RawConnection(service.url);
    connection.write(get('/v1/me', 'Transfer-Encoding: chunked'));
    expect((await connection.read())!.status).toBe(200);
    connection.write(broken);
    expect(await statuses(connection)).toEqual([]);
  });
});

describe('a streamed response', () => {
  const statements = () => service.metric('sightline_database_statements_total');
  /** Returns the number of statements once it stops changing. */
  const settled = async (): Promise<number> => {
    const statementCount = (await statements())!;
    await sleep(300);
    return statementCount === (await statements()) ? statementCount : settled();
  };

  it('is completed before a malformed request is refused', async () => {
    const connection = new RawConnection(service.url);
    connection.write(get('/v1/audit-log'));
    await sleep(20);
    connection.write('nonsense\r\n\r\n');
    const [trail, refusal, ...rest] = await connection.readAll();
    expect(JSON.parse(trail!.body).events).toHaveLength(EVENTS);
    expect([refusal!.status, rest]).toEqual([400, []]);
  });

  it.each(['identity', 'gzip', 'br'])(
    'sends no further statements after the client has disconnected (%s)',
    async coding => {
      const before = (await statements())!;
      // The client disconnects during the first statement, before the compressed response would be sent.
      const unlock = coding === 'identity' ? undefined : await service.lock('audit_event');
      const connection = new RawConnection(service.url);
      connection.socket.pause();
      connection.write(get('/v1/audit-log', `Accept-Encoding: ${coding}`));
      await atWork(1);
      if (unlock) await until(() => service.isWaitedFor('audit_event'));
      else await sleep(200);
      connection.close();
      await unlock?.();
      await atWork(0);
      // Statements that have begun are completed and counted: authentication, one page, and one prefetched page.
      expect((await settled()) - before).toBeLessThan(unlock ? 4 : EVENTS / 1000);
    },
  );

  it('pauses while the client does not read', { tags: 'slow' }, async () => {
    const before = (await statements())!;
    const connection = new RawConnection(service.url);
    connection.socket.pause();
    connection.write(get('/v1/audit-log'));
    await sleep(400);
    // Authentication, and the pages that fit into the connection's buffers.
    expect((await statements())! - before).toBeLessThan(EVENTS / 1000 / 2);
    connection.socket.resume();
    expect(JSON.parse((await connection.read())!.body).events).toHaveLength(EVENTS);
    connection.close();
  });
});
