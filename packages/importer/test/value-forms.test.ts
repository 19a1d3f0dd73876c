import { expect, it } from 'vitest';
import { describeCall, groupOutcomes, type Outcome } from '../../../test/support/group-outcomes.ts';
import { toFields } from '../src/browser/fields.ts';
import { BROWSER_TYPES } from '../src/browser/types.ts';
import { readUserAgent } from '../src/browser/user-agent.ts';
import { bodyInLine } from '../src/json/body-in-line.ts';
import { unescapeHex } from '../src/json/hex.ts';
import { bodyOfLine, formField, loggedTime, shippedLine } from '../src/json/log-line.ts';
import { isLogfmt, readLogfmt } from '../src/json/logfmt.ts';
import { toInstant, toInteger, toNumber, toTime } from '../src/values.ts';

/** Long repetitions are shown by their length. */
const show = (value: unknown) =>
  (JSON.stringify(value) ?? 'undefined').replace(/(.)\1{30,}/g, (all, letter) => `${letter}×${all.length}`);

/** Records the results of a function for each of these values. */
const record = (title: string, values: readonly unknown[], read: (value: never) => unknown): string =>
  `# ${title}\n${groupOutcomes(
    values.map((value): Outcome => [show(value), describeCall(() => show(read(value as never)))]),
  )}\n`;

const DATES = [
  ...['2026-03-08', '2026-3-8', '2026-03-8', '2026-02-29', '2028-02-29', '2026-00-10', '2026-12-31'],
  ...['2026-13-01'],
  ...['26-03-08', '02026-03-08', '2026/03/08', '2026.03.08', '20260308', '2026-067', '2026-W10-7'],
  ...['-2026-03-08'],
  ...['03/08/2026', '3/8/2026', '03/8/2026', '3/08/2026', '13/1/2026', '2/30/2026', '2/29/2028', '0/1/2026'],
  ...['3/8/26', '003/8/2026', '3/8/02026', ' 3/8/2026 ', '3-8-2026', '3/8', '3/8/2026 10:00'],
  ...['2026-03-08T10:30:00Z', '2026-03-08 10:30', ' 2026-03-08 ', '2026-03-08x', 'x2026-03-08'],
  ...['2026-03-081'],
  ...['Sun, 08 Mar 2026 10:30:00 GMT', 'March 8, 2026', '8 Mar 2026', 'Sun Mar 08 2026', 'today', '', ' '],
];
const TIMES = [
  ...DATES,
  ...['2026-03-08T10', '2026-03-08T10:3', '2026-03-08T10:30:0', '2026-03-08T10:30:00.'],
  ...['2026-03-08T10:30:00,5'],
  ...['2026-03-08T10:30:00.123456789Z', '2026-03-08T10:30:00.9999', '2026-03-08T24:00:00'],
  ...['2026-03-08T24:00:01'],
  ...['2026-03-08T25:00:00', '2026-03-08T10:60:00', '2026-03-08T10:30:60', '2026-03-08T23:59:59'],
  ...['2026-03-08 10:30:00 Z', '2026-03-08 10:30:00+01:00', '2026-03-08 10:30:00 +0100'],
  ...['2026-03-08T10:30:00+01'],
  ...['2026-03-08T10:30:00-00:00', '2026-03-08T10:30:00+14:00', '2026-03-08T10:30:00+24:00'],
  ...['2026-03-08  10:30:00'],
  ...['2026-03-08T10:30:00 UTC', '2026-03-08T10:30:00 ', '2026-03-08Z', '2026-03-08+01:00'],
  ...['2026-03-08t10:30:00'],
  ...['08/Mar/2026:10:30:00 +0000', '08/Mar/2026:10:30:00 -0330', '[08/Mar/2026:10:30:00 +0545]'],
  ...['08/Mar/2026:10:30:00+01:00', '8/Mar/2026:10:30:00 +0000', '08/mar/2026:10:30:00 +0000'],
  ...['08/Foo/2026:10:30:00 +0000'],
  ...['31/Feb/2026:10:30:00 +0000', '08/Mar/2026:10:30:00', '08/Mar/26:10:30:00 +0000'],
  ...['08/Dec/2026:23:59:59 +0000'],
  ...['01/Jan/2026:00:00:00 +0100', '08/Mar/2026:25:30:00 +0000', '08/March/2026:10:30:00 +0000'],
  ...['1772965800', '1772965800.', '1772965800.25', '.5', '1772965800,5', '+1772965800', '-1772965800'],
  ...['1.7e9'],
  ...['1772965800000', '1772965800000.5', '1772965800000000', '1772965800000000000', '17729658000000001'],
  ...['177296580000000', '99999999999', '100000000000', '100000000001', '1000000000000000000000'],
  ...[' 1772965800 '],
  ...[1772965800, 1772965800.25, 1772965800000, 1772965800000000, -1, 0, 1.5, 1e21, true, null, {}],
  ...[['2026-03-08']],
];
const NUMBERS = [
  ...['0', '00', '7', '+7', '++7', '-0', '-7', '7.', '7.0', '7.000', '7.01', '.0', '7 ', '\t7\n', '7 8'],
  ...['7,000'],
  ...['1e3', '1E3', '0x1F', '0b1', '0o7', 'NaN', 'Infinity', '-Infinity', '٧', '7n', '1_000', "1'000"],
  ...['', ' '],
  ...['1234567890123456', '9007199254740991', '9007199254740992', '12345678901234567', '0000000000000007'],
  ...[0, -0, 7, 7.5, -7, 1e3, 2 ** 53 - 1, 2 ** 53, true, false, null, [], [7], {}],
];

it('dates, times and numbers are read in their usual forms only', async () => {
  const deprecation = (anticipatedRemoval: unknown) =>
    BROWSER_TYPES.deprecation!(
      { type: 'deprecation', url: '', fields: toFields({ anticipatedRemoval }) },
      'enforced',
    ).fields.anticipatedRemoval;
  const days = [
    ...DATES,
    1772965800000,
    '1772965800000',
    1772965800000.75,
    0,
    -1,
    8.64e15,
    8.64e15 + 1,
    -1e14,
    253402300800000,
    null,
    true,
    ['3/8/2026'],
  ];
  const texts = [
    record('Times of reports', TIMES, value => toInstant(toTime(value))),
    record('Times of logs', TIMES, value => toInstant(loggedTime(value))),
    record('Days of removals', days, deprecation),
    record('Counts', NUMBERS, toInteger),
    record('Numbers', NUMBERS, toNumber),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/value-forms.txt');
});

const BODY = '{"csp-report":{}}';

it('bodies are found in lines of logs', async () => {
  const forms = [
    ...[`a=${encodeURIComponent(BODY)}`, `a=${BODY}`, `a=1&b=${encodeURIComponent(BODY)}`],
    ...[`x?b=${encodeURIComponent(BODY)}`],
    ...[`GET /?b=${encodeURIComponent(BODY)} HTTP`, `"b=${encodeURIComponent(BODY)}"`, 'a=%5B1%5D'],
    ...['a=%5b1%5d&b=%7B%7D'],
    ...['a=%7B+%7D', 'a=%7B%2B%7D', 'a=%7B%', 'a=%7b%7D', 'a=%3C', `a= ${BODY}`, `=${BODY}`],
    ...[`${'a'.repeat(64)}=%7B%7D`],
    ...[`${'a'.repeat(65)}=%7B%7D`, 'a.b-c_d=[1]', 'a$=%7B%7D', '{"x":"a=%7B%7D"}', ' [1]&a=%7B%7D'],
    ...['a=%7B%7D b', '', 'a=1'],
  ];
  const lines = [
    ...[`POST /csp ${BODY}`, `POST /csp ${BODY} `, `POST /csp ${BODY} 204`, `POST [${BODY}]`, 'x {}'],
    ...['x []', 'x [1]', 'x { "a": 1 }'],
    ...[`x${BODY}`, 'x [[1]]', 'x {{1}}', 'x ["a"]', `"POST /" 204 "{\\"a\\":1}"`],
    ...[`"POST /" 204 "{\\x22a\\x22:1}" "Mozilla/5.0 x"`],
    ...['"-" "{\\"a\\":\\"\\\\\\"\\"}"', '"{\\x22a\\x22:\\x22\\xc3\\xa9\\x22}"'],
    ...['"{\\u0022a\\u0022:1}"', '"{\\n\\t\\r\\b\\f\\/\\q}"'],
    ...['"" "{}"', '"x', '"x" "{', '\\"{}\\" x', '"a=%7B%7D"', '"a" a=%7B%7D', 'a=%7B%7D "b"', '" {}"'],
    ...['"[1]"'],
    ...[`[20/Nov/2026:10:00:00 +0100] "${'{}'}"`, `20/Nov/2026:10:00:00+0100 "${'{}'}"`],
    ...[`2026-11-20T10:00:00Z "${'{}'}"`],
    ...[`<13>1 2026-11-20T10:00:00.123456+01:00 h a - - - ${BODY}`, `h 2026-11-20T10:00:00 a ${BODY}`],
    ...[`h 2026-11-20 10:00:00 ${BODY}`],
    ...[`1795168800 ${BODY}`, `1795168800.123 ${BODY}`, `[2026-11-20 10:00:00] ${BODY}`],
    ...[`[error] [2026-11-20T10:00:00Z] ${BODY}`],
    ...[`${'x'.repeat(107)} 2026-11-20T10:00:00Z ${BODY}`],
    ...[`${'x'.repeat(117)} 2026-11-20T10:00:00Z ${BODY}`],
    ...[`Nov 20 10:00:00 host nginx: 192.0.2.1 ${BODY}`, `"{}" "Mozilla/5.0"`, `"Opera/9" "{}"`],
    ...[`"curl/8.1" "{}" "Mozilla/5.0"`],
    ...['"{}" "Mozilla/x"', '"{}" "moz illa/5"', `"{}" "${'a'.repeat(41)}/5"`],
    ...[`"{}" "${'a'.repeat(42)}/5"`, '"{}" "9a/5"', '"{}" "a.b-c/5"'],
  ];
  const logfmt = [
    ...['time=1 level=info blocked_uri=data', 'ts=1 document_uri="a b"'],
    ...[' level=info sampling_fraction=1', 'level= blocked_uri=x'],
    ...['x time=1 blocked_uri=data', 'time=1 xblocked_uri=data', 'time=1 blocked-uri=data'],
    ...['level=info msg="a \\"b\\" \\n\\t\\\\ c" blocked_uri='],
    ...['time="1" blocked_uri=a=b @x.y-z=1 ä=1', `level=info ${'n'.repeat(65)}=1 blocked_uri="open`],
    ...['time=1 blocked_uri=a blocked_uri=b'],
  ];
  const bytes = [...Buffer.from('é{}')];
  const shipped = [
    ...[
      'log',
      'MESSAGE',
      'message',
      'msg',
      'line',
      'full_message',
      'short_message',
      'textPayload',
      'event',
      'text',
    ].map(name => ({ [name]: 'x', ts: 1 })),
    ...[
      '__REALTIME_TIMESTAMP',
      '_SOURCE_REALTIME_TIMESTAMP',
      '@timestamp',
      'time',
      'timestamp',
      'ts',
      'date',
      'msec',
    ].map(name => ({ log: 'x', [name]: '1795168800' })),
    ...[{ log: 'a', message: 'b' }, { message: { a: 1 } }, { MESSAGE: bytes }, { MESSAGE: [256] }],
    ...[{ MESSAGE: [-1] }, { MESSAGE: [1.5] }],
    ...[{ MESSAGE: ['x'] }, { MESSAGE: [] }, { log: 7 }, { log: null, msg: 'x' }, { log: '' }],
    ...[
      { ts: 2, date: 1, log: 'x' },
      { ts: 'x', date: 1, log: 'x' },
    ],
    ...['stdout F ', 'stderr P ', 'stdout F: ', 'stdout X ', 'stdin F ', 'stdout F:a '].map(head => ({
      log: `2026-11-20T10:00:00.1Z ${head}{}`,
    })),
    ...[{ log: '2026-11-20 10:00:00Z stdout F {}' }, { log: ' 2026-11-20T10:00:00Z stdout F {}' }],
  ];
  const body = [
    ...[{ body: '-' }, { body: '' }, { body: 7 }, { body: null, payload: '{}' }, { body: [] }],
    ...[{ body: { a: 1 } }, { body: 'a=%7B%7D' }, { text: '{}' }],
    ...[
      { report: '{}', body: '[]' },
      { body: '{}', ua: 'A', user_agent: 'B' },
      { body: '{}', ua: 7 },
    ],
    ...[{ body: '{}', msec: '1795168800.5', time: 'x' }],
    ...[
      { body: '{}', time: '20/Nov/2026:10:00:00 +0100', msec: 1 },
      { body: '{}', ts: 1795168800000 },
    ],
  ];
  const texts = [
    record('Form fields', forms, formField),
    record('Lines of text', lines, bodyInLine),
    record('logfmt', logfmt, (line: string) =>
      isLogfmt(line) ? readLogfmt(line) : ['other', readLogfmt(line)],
    ),
    record('Lines of shippers', shipped, shippedLine),
    record('Fields of lines', body, (line: Record<string, unknown>) => bodyOfLine(line, undefined)),
    record(
      'Escapes',
      ['\\x22', '\\x0a', '\\xC3\\xA9', '\\xc3', '\\x2', 'x22', '\\\\x22', '\\x5c\\x22'],
      unescapeHex,
    ),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/log-forms.txt');
});

it('user agents are known browsers and platforms, or nothing', async () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const agents = [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    ...['Shopbot/1.0', 'curl/8.1', 'Mozilla/5.0', 'Chrome', '  ', ''],
    ...[`${' '.repeat(1024)}Firefox/145.0`, `${'x'.repeat(1011)}Firefox/145.0`],
  ];
  await expect(record('User agents', agents, readUserAgent)).toMatchFileSnapshot(
    './recorded/user-agents.txt',
  );
});

it('enumerations and addresses of browser reports are read in their usual spellings', async () => {
  const fieldOf =
    (type: string, name: string, field: string, action: 'enforced' | 'reportOnly' = 'reportOnly') =>
    (value: unknown) =>
      BROWSER_TYPES[type]!({ type, url: '', fields: toFields({ [name]: value }) }, action).fields[field];
  const dispositions = [
    ...['enforce', 'enforced', 'ENFORCE', ' enforce', 'enforcing', 'report', 'reporting', 'report-only'],
    ...['reportOnly'],
    ...['Report', ' report ', 'reported', 're', 'none', '', null, true, 1],
  ];
  const booleans = [true, false, 'true', 'false', 'TRUE', 1, 0, '1', '', null, undefined];
  const ips = [
    '192.0.2.80',
    '192.0.2.080',
    ' 192.0.2.80',
    '2001:DB8::1',
    '[2001:db8::1]',
    '::ffff:192.0.2.1',
    '192.0.2',
    'x',
    '',
    null,
    7,
  ];
  const texts = [
    ...['csp-report', 'csp-violation'].map(type =>
      record(`disposition of ${type}`, dispositions, fieldOf(type, 'disposition', 'action')),
    ),
    record('reportOnly of csp-report', booleans, fieldOf('csp-report', 'report_only', 'action', 'enforced')),
    record('disposition of coop', dispositions, fieldOf('coop', 'disposition', 'disposition')),
    record(
      'disposition of permissions',
      dispositions,
      fieldOf('permissions-policy-violation', 'disposition', 'disposition'),
    ),
    record('reportOnly of integrity', booleans, fieldOf('integrity-violation', 'report-only', 'action')),
    record('isTopLevel of crash', booleans, fieldOf('crash', 'is_top_level', 'isTopLevel')),
    record(
      'phase',
      ['dns', 'Connection', ' APPLICATION ', 'app', '', null, 1],
      fieldOf('network-error', 'phase', 'phase'),
    ),
    record(
      'status code',
      ['200', 200, '200.0', 200.5, '', null, -1, 'x', 99999],
      fieldOf('network-error', 'status-code', 'statusCode'),
    ),
    record('server address', ips, fieldOf('network-error', 'server_ip', 'serverIp')),
    record(
      'directive',
      ['script-src', 'Script-Src x', ' img-src;x', 'img-src,x', 'img-src\tx', '\nimg-src', ';', ' ', 7, null],
      fieldOf('csp-report', 'effective-directive', 'directive'),
    ),
    record(
      'allowlist',
      [
        'https://a.example',
        ['a', '', null, 7, {}],
        [],
        {},
        null,
        Array.from({ length: 201 }, (_, index) => (index < 199 ? '' : `${index}`)),
      ],
      fieldOf('connection-allowlist', 'allowlist', 'allowlist'),
    ),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/enumerations.txt');
});
