import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, SightlineError } from '../../packages/client/src/index.ts';
import { answer, handlers } from '../../packages/client/src/msw.ts';
import { auditEvent, NOW, report, team } from '../support/fixtures.ts';
import { mockServer } from '../support/mocks.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

const mocks = mockServer();
const REPORTS = '/export/reports/{type}';

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const read: Value[] = [];
  for await (const value of values) read.push(value);
  return read;
}

describe('a client reading exports from the service', () => {
  let service: TestService;
  let client: Client;
  let key: string;
  beforeAll(async () => {
    service = await startService({ now: NOW });
    await service.load(
      team('crew'),
      ...belongings('crew'),
      report('crew', 'csp', 'csp-2', { action: 'enforced' }),
    );
    key = await service.key('team', 'crew');
    client = createClient({ baseUrl: service.url, key });
  });
  afterAll(() => service.close());

  it('reads an export record by record, typed by report type', async () => {
    const reports = await all(client.export(REPORTS, { type: 'csp' }));
    const { body } = await service.get('/export/reports/csp?format=json', key);
    expect(reports).toEqual(body);
    expect(reports.map(({ directive }) => directive)).toHaveLength(2);
    const [nel] = await all(client.export(REPORTS, { type: 'nel' }));
    expect(nel?.statusCode).toBeTypeOf('number');
    expect(await all(client.export('/export/audit-log', {}))).not.toEqual([]);
    expect(await all(client.export('/export/findings', {}))).not.toEqual([]);
  });

  it('rejects unknown parameters in TypeScript and at run time', async () => {
    // TypeScript reports each as a type error, and JavaScript rejects it at run time.
    const mistyped = [
      // @ts-expect-error an unknown filter
      client.export(REPORTS, { type: 'csp', hostname: ['x'] }),
      // @ts-expect-error a filter that only reports have
      client.export('/export/findings', { hostnames: ['x'] }),
      // @ts-expect-error the cursor is an option of the client
      client.arrivals(REPORTS, { type: 'csp', aftr: '' }),
    ];
    for (const records of mistyped) {
      await expect(all(records as AsyncIterable<unknown>)).rejects.toThrow(/^Unknown parameter: /);
    }
    // @ts-expect-error the result would be a page instead of the entire export
    void client.export(REPORTS, { type: 'csp', after: '' });
    // @ts-expect-error the client sets the format
    void client.export(REPORTS, { type: 'csp', format: 'csv' });
    // @ts-expect-error this path has no parameters
    await client.get('/v1/me', { id: 'x' });
    expect(await client.get('/v1/me', {}, {})).toEqual(await client.get('/v1/me'));
  });

  it('applies filters and exclusions', async () => {
    const enforced = await all(client.export(REPORTS, { type: 'csp', action: 'enforced' }));
    const others = await all(client.export(REPORTS, { type: 'csp', 'not.action': 'enforced' }));
    expect([...enforced, ...others].map(({ action }) => action).sort()).toEqual(['', 'enforced']);
  });

  it('reads new records after a cursor, and continues from the last cursor', async () => {
    const pages = await all(client.arrivals(REPORTS, { type: 'csp' }, { pageSize: 1 }));
    expect(pages.map(({ records, gap }) => [records.length, gap])).toEqual([
      [1, false],
      [1, false],
      [0, false],
    ]);
    const { cursor } = pages.at(-1)!;
    await service.load(report('crew', 'csp', 'csp-3'));
    const [next, end] = await all(client.arrivals(REPORTS, { type: 'csp' }, { after: cursor }));
    expect(next?.records.map(({ raw }) => raw)).toEqual(['csp-3']);
    expect(end?.records).toEqual([]);
  });

  it('follows new records until it is aborted', async () => {
    const stop = new AbortController();
    // Otherwise the client would wait for a minute.
    const soon = async (request: Request) => {
      const { status, headers, body } = await fetch(request);
      const copied = new Headers(headers);
      if (copied.has('retry-after')) copied.set('retry-after', '0');
      return new Response(body, { status, headers: copied });
    };
    const eager = createClient({ baseUrl: service.url, key, fetch: soon });
    const options = { after: 'now', follow: true, signal: stop.signal };
    const seen: string[] = [];
    const following = (async () => {
      for await (const { records } of eager.arrivals('/export/audit-log', {}, options)) {
        if (seen.length === 0 && records.length === 0) {
          seen.push('nothing');
          await service.load(auditEvent('crew', 'event-9'));
        }
        seen.push(...records.map(({ id }) => id));
        if (records.length > 0) stop.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
    expect(seen).toEqual(['nothing', 'event-9']);
  });

  it('cancels the export when its reader stops', async () => {
    // Two streams can be open at once, so the third would be refused if the earlier ones were still open.
    for (const _time of [1, 2, 3]) for await (const _report of client.export(REPORTS, { type: 'csp' })) break;
    expect(await all(client.export(REPORTS, { type: 'csp' }))).not.toEqual([]);
  });

  it('throws the error of the service when an export is rejected', async () => {
    const refused = await all(client.export(REPORTS, { type: 'csp', from: 'yesterday' })).catch(
      error => error,
    );
    expect(refused).toBeInstanceOf(SightlineError);
    expect(refused).toMatchObject({ status: 400, message: 'Invalid value for parameter: from' });
  });
});

describe('an export stream', () => {
  /** Sends a text one byte at a time, which splits characters. */
  const pieces = (text: string, end: (stream: ReadableStreamDefaultController<Uint8Array>) => void) =>
    new ReadableStream<Uint8Array>({
      start(stream) {
        for (const byte of new TextEncoder().encode(text)) stream.enqueue(Uint8Array.of(byte));
        end(stream);
      },
    });
  const client = (body: () => ReadableStream<Uint8Array>) =>
    createClient({
      baseUrl: 'https://api.example',
      key: 'svc_d_any',
      fetch: async () => new Response(body()),
    });
  const whole = '{"id":"é"}\n{"id":"b"}\n';

  it('is read regardless of how it is split into chunks', async () => {
    const read = all(client(() => pieces(whole, stream => stream.close())).export('/export/findings', {}));
    expect(await read).toEqual([{ id: 'é' }, { id: 'b' }]);
  });

  it.each([
    [
      'the connection breaks',
      whole,
      (stream: ReadableStreamDefaultController) => stream.error(new TypeError('cut')),
    ],
    [
      'the stream ends within a record',
      `${whole}{"id"`,
      (stream: ReadableStreamDefaultController) => stream.close(),
    ],
    ['a line is not a record', `${whole}{]\n`, (stream: ReadableStreamDefaultController) => stream.close()],
  ])('throws after the received records when %s', async (_, text, end) => {
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const record of client(() => pieces(text, end)).export('/export/findings', {}))
        read.push(record);
    })();
    await expect(reading).rejects.toMatchObject({ name: 'SightlineError', status: 0 });
    expect(text.startsWith(whole) && read.length <= 2).toBe(true);
  });
});

it('mocked exports return the examples, or the records given by a test', async () => {
  mocks.use(...handlers());
  const client = createClient({ baseUrl: 'https://sightline.example', key: 'svc_d_any' });
  const [dmarc] = await all(client.export(REPORTS, { type: 'dmarc' }));
  expect(dmarc?.publishedPolicy.p).toBeTypeOf('string');
  const pages = await all(client.arrivals(REPORTS, { type: 'dmarc' }));
  expect(pages.map(({ records }) => records)).toEqual([[dmarc], []]);
  const [finding] = await all(client.export('/export/findings', {}));
  mocks.use(answer('/export/findings', [finding!, { ...finding!, id: 'second' }]));
  expect((await all(client.export('/export/findings', {}))).map(({ id }) => id)).toEqual([
    finding!.id,
    'second',
  ]);
  mocks.resetHandlers();
});
