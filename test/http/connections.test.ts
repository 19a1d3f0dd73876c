import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personal, plan } from '../support/fixtures.ts';
import { manyEvents } from '../support/many-events.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/until.ts';
import { startWatchedService, type WatchedService } from '../support/watched-service.ts';

/** More than four pages of the whole trail, and than a connection takes without a reader. */
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

/** Until so many requests are at work. */
const atWork = (count: number) =>
  until(async () => (await service.metric('sightline_requests_at_work')) === count);

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

describe('requests one behind the other on a connection', () => {
  it('are answered in their order', async () => {
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

  it('are all answered, a thousand of them', async () => {
    const many = await exchange(get('/v1/me').repeat(999) + get('/v1/me', 'Connection: close'));
    expect(many).toEqual(Array(1000).fill(200));
  });

  it('are answered before what follows them is refused', async () => {
    expect(await exchange(`${get('/v1/me')}${get('/v1/plan')}nonsense\r\n\r\n`)).toEqual([200, 200, 400]);
    expect(await exchange(`${get('/v1/audit-log')}nonsense\r\n\r\n`)).toEqual([200, 400]);
    expect(await exchange(`${get('/v1/me', 'Connection: close')}nonsense\r\n\r\n`)).toEqual([200]);
  });

  it('leave nothing behind when their client goes away', async () => {
    const unlock = await service.lock('csp_policy');
    const connection = new RawConnection(service.url);
    connection.write(get('/v1/policies/csp').repeat(5));
    await atWork(5);
    connection.close();
    await atWork(0);
    await unlock();
  });
});

describe('a body', () => {
  it('of a size that is too large is refused before it has come', async () => {
    const connection = new RawConnection(service.url);
    connection.write(post('Content-Length: 1048577'));
    expect((await connection.read())!.status).toBe(413);
    connection.close();
  });

  it('that grows too large is refused while it comes, and its client may finish', async () => {
    const connection = new RawConnection(service.url);
    connection.write(`${post('Transfer-Encoding: chunked')}80000\r\n${'x'.repeat(0x80000)}\r\n`);
    await sleep(50);
    connection.write(`90000\r\n${'x'.repeat(0x90000)}\r\n`);
    const answer = (await connection.read())!;
    expect([answer.status, answer.body]).toEqual([413, '{"error":"Request body too large"}']);
    connection.write(`0\r\n\r\n${get('/v1/me', 'Connection: close')}`);
    expect(await statuses(connection)).toEqual([200]);
  });

  it('that breaks off is no error of ours', async () => {
    const connection = new RawConnection(service.url);
    connection.write(`${post('Content-Length: 100')}{"query":`);
    await atWork(1);
    connection.close();
    await service.lines('the connection ended before the answer did');
    await atWork(0);
    expect(await service.lines('a request failed', 0)).toEqual([]);
  });

  it('that cannot be read is never answered twice', async () => {
    const broken = 'zz\r\n\r\n';
    expect(await exchange(`${get('/v1/me', 'Transfer-Encoding: chunked')}${broken}`)).toEqual([400]);
    const connection = new RawConnection(service.url);
    connection.write(get('/v1/me', 'Transfer-Encoding: chunked'));
    expect((await connection.read())!.status).toBe(200);
    connection.write(broken);
    expect(await statuses(connection)).toEqual([]);
  });
});

describe('a stream', () => {
  const statements = () => service.metric('sightline_database_statements_total');
  /** The statements, once there are no more of them. */
  const settled = async (): Promise<number> => {
    const asked = (await statements())!;
    await sleep(300);
    return asked === (await statements()) ? asked : settled();
  };

  it('is not broken into by a refusal', async () => {
    const connection = new RawConnection(service.url);
    connection.write(get('/v1/audit-log'));
    await sleep(20);
    connection.write('nonsense\r\n\r\n');
    const [trail, refusal, ...rest] = await connection.readAll();
    expect(JSON.parse(trail!.body).events).toHaveLength(EVENTS);
    expect([refusal!.status, rest]).toEqual([400, []]);
  });

  it.each(['identity', 'gzip', 'br'])(
    'whose client goes away asks the database for no more (%s)',
    async coding => {
      const before = (await statements())!;
      // Short as it is once it is compressed, it would be over at once: its client goes during its first statement.
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
      // Statements under way end, and count then: the caller, a page, and one that was asked for ahead.
      expect((await settled()) - before).toBeLessThan(unlock ? 4 : EVENTS / 1000);
    },
  );

  it('waits for its reader', async () => {
    const before = (await statements())!;
    const connection = new RawConnection(service.url);
    connection.socket.pause();
    connection.write(get('/v1/audit-log'));
    await sleep(400);
    // The caller, and the pages that a connection holds.
    expect((await statements())! - before).toBeLessThan(EVENTS / 1000 / 2);
    connection.socket.resume();
    expect(JSON.parse((await connection.read())!.body).events).toHaveLength(EVENTS);
    connection.close();
  });
});
