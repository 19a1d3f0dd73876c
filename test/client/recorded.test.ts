import { expect, it, vi } from 'vitest';
import { createClient, type SightlineError } from '../../packages/client/src/index.ts';
import { readParts } from '../../packages/client/src/parts.ts';
import { changeJson, changeLines } from '../support/changed-inputs.ts';
import { describeAsyncCall, describeCall, groupOutcomes } from '../support/group-outcomes.ts';
import { START, seconds, simulateTime } from './simulated-time.ts';

simulateTime();

type Answers = readonly (() => Response)[];
type Settings = Omit<Partial<Parameters<typeof createClient>[0]>, 'fetch'>;

/** Requests with the given answers, the last of which is repeated, and describes when each request was sent. */
async function describe(
  answers: Answers,
  settings: Settings = {},
  run: (client: ReturnType<typeof createClient>) => Promise<unknown> = client =>
    client.get('/v1/account' as never),
): Promise<string> {
  vi.setSystemTime(START);
  const sent: string[] = [];
  const retried: string[] = [];
  const client = createClient({
    ...{ baseUrl: 'https://reports.example/base/', key: 'svc_d_x', ...settings },
    onRetry: (error, tries) => void retried.push(`${tries}. ${error.message}`),
    fetch: async request => {
      const body = request.method === 'POST' ? ` ${await request.clone().text()}` : '';
      const accept = request.headers.get('accept');
      sent.push(
        `${seconds()} s ${request.method} ${request.url.replace('https://reports.example', '')}${body}${accept === '*/*' || !accept ? '' : ` ${accept}`}`,
      );
      return answers[Math.min(sent.length, answers.length) - 1]!();
    },
  });
  const pending = run(client).then(
    value => JSON.stringify(value),
    (error: SightlineError) =>
      `${error.name} ${error.status}: ${error.message}${error.retryAfter === undefined ? '' : ` after ${error.retryAfter}`}${error.requestId ? ` id ${error.requestId}` : ''}${error.code ? ` ${error.code}` : ''}`,
  );
  await vi.advanceTimersByTimeAsync(3_600_000);
  const unique = [...new Set(sent.map(line => line.replace(/^\S+ s /, '')))];
  const times = sent.map(line => line.split(' ', 1)[0]).join(' ');
  return [await pending, `sent at ${times}: ${unique.join('; ')}`, ...new Set(retried)].join('\n    ');
}

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    new Response(JSON.stringify(body), init);

const STATUSES = [
  200, 201, 299, 301, 304, 399, 400, 401, 403, 404, 408, 409, 425, 426, 429, 500, 501, 502, 503, 504, 505,
];

it('each status, header and error leads to the requests and the message recorded', async () => {
  const withHeaders = (status: number, headers: Record<string, string>) => [
    json({ error: 'no' }, { status, headers }),
    json({ ok: 1 }),
  ];
  const cases: [string, Answers, Settings?][] = [
    ...STATUSES.map((status): [string, Answers] => [
      `status ${status}`,
      [
        () =>
          new Response(status === 304 ? null : '<p>', {
            status,
            statusText: 'Words',
            headers: { location: '/x' },
          }),
      ],
    ]),
    ...[
      '0',
      '1',
      '65',
      '66',
      'x',
      '-1',
      '1.5',
      'Mon, 02 Mar 2026 00:00:30 GMT',
      'Sun, 01 Mar 2026 00:00:00 GMT',
    ].map((wait): [string, Answers] => [
      `retry after ${wait}`,
      withHeaders(503, { 'retry-after': wait, 'x-request-id': 'r1' }),
    ]),
    ...[0, 1, 2].map((retries): [string, Answers, Settings] => [
      `${retries} retries`,
      [json({}, { status: 500 })],
      { retries },
    ]),
    ['first wait of 50 s', [json({}, { status: 500 })], { firstWait: 50_000 }],
    ['first wait of 130 s', [json({}, { status: 500 })], { firstWait: 130_001 }],
    ['longest wait of 1 s', withHeaders(503, { 'retry-after': '1' }), { longestWait: 1000 }],
    ['longest wait below 1 s', withHeaders(503, { 'retry-after': '1' }), { longestWait: 999 }],
    ['success after a failure', [json({}, { status: 502 }), json([1])]],
    [
      'failure to connect',
      [
        () => {
          throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
        },
      ],
    ],
    [
      'failure without a cause',
      [
        () => {
          throw new Error('odd');
        },
        json({ ok: 1 }),
      ],
    ],
    [
      'a text as error',
      [
        () => {
          throw 'text';
        },
      ],
      { retries: 0 },
    ],
    ['no JSON', [() => new Response('{')]],
    ['error of another type', [json({ error: 7 }, { status: 400 })]],
    ['null as error', [json(null, { status: 400 })]],
  ];
  const outcomes: [string, string][] = [];
  for (const [name, answers, settings] of cases) outcomes.push([name, await describe(answers, settings)]);
  const limits = [
    '"default";r=0;t=42',
    '"default";r=1;t=42',
    '"default"; r=0; t=66',
    'r=0;t=1',
    '"default";r=x;t=1',
  ];
  for (const limit of limits)
    for (const policy of ['"default";q=2;w=60', '']) {
      const answer = json({}, { headers: { ratelimit: limit, 'ratelimit-policy': policy } });
      const three = async (client: ReturnType<typeof createClient>) => {
        for (let count = 0; count < 4; count++) await client.get('/v1/account' as never);
      };
      outcomes.push([`${limit} ${policy}`, await describe([answer, json({})], {}, three)]);
    }
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/requests.txt');
});

it('each setting and document is accepted or refused as recorded', async () => {
  const urls = ['https://a.example', 'http://a.example/x/', 'ftp://a.example', '', 'a.example', 7];
  const keys = ['svc_d_x', '', 'a b', 'ä\u0100', undefined];
  const settings = [
    ...urls.map(
      baseUrl =>
        [
          `url ${baseUrl}`,
          describeCall(() => typeof createClient({ baseUrl: baseUrl as string, key: 'k' })),
        ] as const,
    ),
    ...keys.map(
      key =>
        [
          `key ${key}`,
          describeCall(() => typeof createClient({ baseUrl: 'https://a', key: key as string })),
        ] as const,
    ),
  ];
  const documents = {
    text: 'query',
    hash: { __meta__: { hash: 'h' } },
    both: Object.assign(new String('query'), { __meta__: { hash: 'h' } }),
    parsed: { loc: { source: { body: 'query' } } },
    neither: {},
    number: { __meta__: { hash: 7 } },
  };
  const body = {
    data: { a: 1 },
    errors: [{ message: 'bad', extensions: { code: 'FORBIDDEN' } }, { message: 'worse' }],
  };
  const send = (document: unknown, answers: Answers, allow?: string[]) =>
    describe(answers, { retries: 0 }, client =>
      client.graphql(document as string, { v: 1 }, allow ? { allow } : {}),
    );
  const unlisted = (code: string) => json({ errors: [{ message: 'hash', extensions: { code } }] });
  const queries: [string, string][] = [];
  for (const [name, document] of Object.entries(documents)) {
    queries.push([name, await send(document, [json({ data: 1 })])]);
    for (const code of ['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED', 'OTHER'])
      queries.push([`${name} ${code}`, await send(document, [unlisted(code), json({ data: 2 })])]);
  }
  for (const allow of [[], ['FORBIDDEN'], ['OTHER']])
    queries.push([`allowed ${allow}`, await send('q', [json(body)], allow)]);
  for (const { change, input } of changeJson(body, [null, 7, '', {}])) {
    const status = 200;
    queries.push([change, await send('q', [json(input, { status })], ['FORBIDDEN'])]);
  }
  for (const status of [200, 400, 401, 500])
    queries.push([`status ${status}`, await send('q', [json({ data: { a: 1 } }, { status })])]);
  await expect(`${groupOutcomes(settings)}\n${groupOutcomes(queries)}`).toMatchFileSnapshot(
    './recorded/settings.txt',
  );
});

const BODY =
  '\r\n--b\r\nContent-Length: 3\r\nSightline-Cursor: c1\r\n\r\nabc\r\n--b\r\nContent-Length: 0\r\nRetry-After: 5\r\nSightline-Cursor: c2\r\n\r\n\r\n--b--\r\n';

it('each change of a multipart response is read as recorded', async () => {
  const read = (text: string, type = 'multipart/mixed; boundary=b', size = 1000) =>
    describeAsyncCall(async () => {
      const bytes = new TextEncoder().encode(text);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
          controller.close();
        },
      });
      const seen: string[] = [];
      try {
        for await (const { headers, chunks } of readParts(
          new Response(stream, { headers: { 'content-type': type } }),
        ))
          seen.push(`${headers.get('sightline-cursor')} ${Buffer.concat(chunks)}`);
      } catch (error) {
        seen.push((error as Error).message);
      }
      return JSON.stringify(seen);
    });
  const outcomes: [string, string][] = [['unchanged', await read(BODY)]];
  for (const size of [1, 2, 7]) outcomes.push([`${size} bytes at once`, await read(BODY, undefined, size)]);
  for (const { change, input } of changeLines(BODY)) outcomes.push([change, await read(input)]);
  for (const type of [
    'multipart/mixed;boundary="b"',
    'Multipart/Mixed ; Boundary=b; x=y',
    'multipart/mixed',
    'multipart/form-data; boundary=b',
    'text/plain',
  ])
    outcomes.push([type, await read('x', type)], [`${type}, multipart`, await read(BODY, type)]);
  for (const length of ['4', '2', '-1', 'x', '1.5', '', `${512 * 1024 * 1024}`, `${512 * 1024 * 1024 + 1}`])
    outcomes.push([`length ${length}`, await read(BODY.replace('Length: 3', `Length: ${length}`))]);
  for (const length of [16_300, 16_384, 17_000])
    outcomes.push([
      `headers of ${length}`,
      await read(BODY.replace('Retry-After: 5', `X: ${'x'.repeat(length)}`)),
    ]);
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/parts.txt');
});

it('each response of an export or of pages is read as recorded', async () => {
  const exported = (answers: Answers) =>
    describe(answers, { retries: 1 }, async client => {
      const seen: unknown[] = [];
      for await (const record of client.export('/export/reports/{type}', { type: 'csp' } as never))
        seen.push(record);
      return seen;
    });
  const text = (body: string, init?: ResponseInit) => () => new Response(body, init);
  const cursor = (name: string, more: Record<string, string> = {}) => ({
    headers: { 'sightline-cursor': name, ...more },
  });
  const paged = (answers: Answers, options: object) =>
    describe(answers, { retries: 1 }, async client => {
      const seen: unknown[] = [];
      for await (const page of client.arrivals('/export/reports/{type}', { type: 'csp' } as never, options)) {
        seen.push(page);
        if (seen.length === 3) break;
      }
      return seen;
    });
  const last = text('[]', cursor('c2', { 'retry-after': '7' }));
  const multipart = text(
    BODY.replace('3\r\n', '3\r\n')
      .replace('abc', '[1]')
      .replace('Length: 0', 'Length: 2')
      .replace('c2\r\n\r\n', 'c2\r\n\r\n[]'),
    {
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
    },
  );
  const outcomes: [string, string][] = [
    ['lines', await exported([text('{"a":1}\n{"a":2}\n')])],
    ['an incomplete line', await exported([text('{"a":1}\n{"a":')])],
    ['no JSON', await exported([text('x\n')])],
    ['nothing', await exported([text('')])],
    ['a refusal', await exported([json({ error: 'no' }, { status: 403 })])],
    ['one page', await paged([last], {})],
    ['two pages', await paged([text('[1]', cursor('c1')), last], {})],
    ['a gap', await paged([text('[]', cursor('c', { 'sightline-gap': 'true', 'retry-after': '1' }))], {})],
    ['after a cursor', await paged([last], { after: 'c0', pageSize: 5 })],
    ['following', await paged([last], { follow: true })],
    ['following every second', await paged([last], { follow: true, every: 1000 })],
    ['parts', await paged([multipart], {})],
    ['no cursor', await paged([text('[]')], {})],
    ['no list', await paged([text('{}', cursor('c'))], {})],
    ['a refused page', await paged([json({ error: 'no' }, { status: 400 })], {})],
    [
      'a lost page',
      await paged(
        [
          () => {
            throw new Error('gone');
          },
          last,
        ],
        {},
      ),
    ],
  ];
  const events = async (client: ReturnType<typeof createClient>) => {
    const seen: unknown[] = [];
    for await (const event of client.auditEvents({ pageSize: 2 })) seen.push(event);
    return seen;
  };
  const audit = [json({ events: [1, 2], nextCursor: 'n' }), json({ events: [3], nextCursor: null })];
  outcomes.push(['audit events', await describe(audit, {}, events)]);
  const tagged =
    (tag: string, status = 200) =>
    () =>
      new Response(status === 304 ? null : `"${tag}"`, { status, headers: { etag: tag } });
  for (const keep of [0, 4, 5, undefined]) {
    const twice = async (client: ReturnType<typeof createClient>) => [
      await client.get('/v1/account' as never),
      await client.get('/v1/account' as never),
    ];
    outcomes.push([
      `kept in ${keep}`,
      await describe([tagged('abc'), tagged('abc', 304)], keep === undefined ? {} : { keep }, twice),
    ]);
  }
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/exports.txt');
});
