import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { LONGEST_VALUE } from '../src/bounds.ts';
import { ids, importBytes, inParts } from './reports.ts';

const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;
const at = (milliseconds: number) => new Date(NOON + milliseconds).toISOString();
const csp = (blocked = 'https://cdn.example/x.js') => ({
  'csp-report': {
    'document-uri': 'https://shop.example/',
    'effective-directive': 'script-src',
    'blocked-uri': blocked,
  },
});
const body = JSON.stringify(csp());
const plainId = async (time: number) =>
  ids(await importBytes(JSON.stringify({ time: at(time), body }), { format: 'browser' }));

/** Returns a report that was delivered at `time`, `age` milliseconds after the violation. */
const toDelivery = (time: number, age: number, blocked?: string) =>
  JSON.stringify({
    time: at(time),
    body: JSON.stringify([
      { type: 'csp-violation', age, url: 'https://shop.example/', body: csp(blocked)['csp-report'] },
    ]),
  });
const logIds = async (lines: readonly string[]) =>
  ids(await importBytes(lines.map(line => `${line}\n`).join(''), { format: 'browser' }));

describe('a log', () => {
  const shippers: [string, string][] = [
    ['Docker', JSON.stringify({ log: `${body}\n`, stream: 'stdout', time: at(0) })],
    ['journald', JSON.stringify({ __REALTIME_TIMESTAMP: `${NOON}000`, MESSAGE: body })],
    [
      'journald, as bytes',
      JSON.stringify({ __REALTIME_TIMESTAMP: `${NOON}000`, MESSAGE: [...Buffer.from(body)] }),
    ],
    ['Logstash', JSON.stringify({ '@timestamp': at(0), '@version': '1', message: body })],
    ['Filebeat', JSON.stringify({ '@timestamp': at(0), message: body, agent: { type: 'filebeat' } })],
    ['Fluent Bit', JSON.stringify({ date: NOON / 1000, log: body, kubernetes: { pod_name: 'web' } })],
    ['Fluent Bit, parsed', JSON.stringify({ date: NOON / 1000, log: csp() })],
    ['Loki', JSON.stringify({ line: body, timestamp: `${NOON}000000` })],
    ['GELF', JSON.stringify({ version: '1.1', host: 'web', short_message: body, timestamp: NOON / 1000 })],
    ['CRI', `${at(0)} stdout F ${body}`],
    ['syslog', `<134>1 ${at(0)} web nginx - - - ${body}`],
    ['nginx in Docker', JSON.stringify({ log: `${JSON.stringify({ time: at(0), body })}\n`, time: at(999) })],
    ...['stdout F', 'stderr F', 'stdout P', 'stdout F:tag'].map((head): [string, string] => [
      `CRI in Fluent Bit (${head})`,
      JSON.stringify({ log: `${at(0)} ${head} ${body}`, date: NOON / 1000 }),
    ]),
  ];
  it.each(shippers)('from %s is read without options', async (_, line) => {
    const found = await importBytes(`${line}\n`, { format: 'browser' });
    expect(found.skipped).toEqual([]);
    expect(found.records.map(({ date, blockedUri }) => [date, blockedUri])).toEqual([
      [at(0), 'https://cdn.example/x.js'],
    ]);
    expect(ids(found)).toEqual(await plainId(0));
  });

  it('from journald is read as bytes only if they all are bytes', async () => {
    const read = async (...bytes: number[]) => {
      const line = JSON.stringify({ MESSAGE: [...bytes, ...Buffer.from(` ${body}`)] });
      const { records, unstored, skipped } = await importBytes(line, { format: 'browser' });
      return [records.map(({ type }) => type), ...unstored, ...skipped];
    };
    expect(await read(0, 1, 254, 255)).toEqual([['csp']]);
    for (const other of [-1, 256, 1.5]) expect(await read(other)).toEqual([[], 'file is not a known report']);
  });

  it.each<[string, string]>([
    ['with escaped quotation marks', JSON.stringify(body)],
    ['with hexadecimal quotation marks', `"${body.replaceAll('"', '\\x22')}"`],
    ['after a quoted text that ends with a backslash', `"C:\\\\" ${JSON.stringify(body)}`],
    ['after a quoted text with quotation marks', `"a \\"b\\" c" ${JSON.stringify(body)}`],
    ['after a quoted text behind a backslash', `C:\\"x" ${JSON.stringify(body)}`],
    ['after a path with brackets', `"POST /csp/[a]/{b} HTTP/1.1" 204 ${JSON.stringify(body)}`],
  ])('contains a quoted body %s', async (_, rest) => {
    const { records, skipped } = await importBytes(`192.0.2.1 ${at(0)} ${rest}\n`, { format: 'browser' });
    expect(skipped).toEqual([]);
    expect(records.map(({ blockedUri }) => blockedUri)).toEqual(['https://cdn.example/x.js']);
  });

  it.each(['-', ''])('counts lines whose body is %j as requests without a body', async empty => {
    const lines = [body, empty].map(each => JSON.stringify({ time: at(0), request_body: each }));
    const found = await importBytes(lines.join('\n'), { format: 'browser' });
    expect([found.records.length, found.skipped]).toEqual([1, []]);
    expect(found.unstored).toEqual(['request without a body']);
  });

  it.each([7, 997, 1_000_000])(
    'names lines by their numbers if it arrives in parts of %i bytes',
    async length => {
      const lines = Array.from({ length: 30 }, () => `POST ${body}`);
      for (const index of [2, 19, 28]) lines[index] = 'POST {"csp-report": }';
      lines[1] = '';
      lines[10] = ' ';
      const content = inParts(Buffer.from(lines.join('\n')), length);
      const found = await importBytes('', { format: 'browser' }, { content });
      expect(found.skipped).toEqual([3, 20, 29].map(number => `file, line ${number} is not JSON`));
      expect([found.records.length, found.items]).toEqual([25, 28]);
    },
  );

  it('counts each line with a body as an item', async () => {
    const pairs =
      'blocked_uri="https://a.example" document_uri="https://shop.example/" violated_directive=img-src';
    const lines = [`POST ${body}`, 'GET /', `time="${at(0)}" level=info ${pairs}`, body];
    const { records, items, unstored } = await importBytes(lines.join('\n'), { format: 'browser' });
    expect([records.length, items, unstored]).toEqual([3, 3, ['request without a body']]);
  });

  it.each(['', ' ', '{ '])(
    'of plain lines can contain lines of JSON with their own fields: %j',
    async begin => {
      const line = JSON.stringify({ msec: `${NOON / 1000 + 7}.5`, request_body: body });
      const text = `GET / 200\n${begin}${begin === '{ ' ? line.slice(1) : line}\n`;
      const { records, items, unstored } = await importBytes(text, { format: 'browser' });
      expect(records.map(({ date }) => date)).toEqual([at(7500)]);
      expect([items, unstored]).toEqual([1, ['request without a body']]);
    },
  );

  it('without any body is in an unknown format', async () => {
    const { records, skipped, unstored } = await importBytes('GET /{a} 200\nGET /{b} 200\n');
    expect([records, skipped, unstored]).toEqual([[], ['file is in an unknown format'], []]);
  });

  it.each([
    ['of plain lines', `POST ${body}`],
    ['of JSON', body],
  ])('%s is read beyond a line that is too long', async (_, line) => {
    const content = inParts(Buffer.from(`${line}\n${'x'.repeat(LONGEST_VALUE + 1)}\n${line}\n`), 1024 ** 2);
    const { records, skipped } = await importBytes('', { format: 'browser' }, { content });
    expect([records.length, skipped]).toEqual([2, ['file, line 2 is too long']]);
  });

  it('of plain lines can contain equal reports, which have distinct ids in parts of any length', async () => {
    const read = async (length: number) => {
      const content = inParts(Buffer.from(`POST ${body}\n`.repeat(12)), length);
      return ids(await importBytes('', { format: 'browser' }, { content }));
    };
    const whole = await read(1_000_000);
    expect(new Set(whole).size).toBe(12);
    expect(await read(150)).toEqual(whole);
  });

  it('of a container counts lines of other programs as requests without a body', async () => {
    const lines = ['GET / 200', 'started'].map(log => JSON.stringify({ log, stream: 'stdout', time: at(0) }));
    const found = await importBytes([shippers[0]![1], ...lines].join('\n'), { format: 'browser' });
    expect(found.records).toHaveLength(1);
    expect(found.skipped).toEqual([]);
    expect(found.unstored).toEqual(['request without a body', 'request without a body']);
  });
});

describe('the time of a line', () => {
  const offset = (hours: number) => new Date(NOON + hours * 3_600_000).toISOString().slice(0, 19);
  const [day, clock] = at(0).slice(0, 19).split('T');
  const toCommon = (text: string) => {
    const [year, , date] = text.split('-');
    const name = new Date(`${text}Z`).toLocaleString('en', { month: 'short', timeZone: 'UTC' });
    return `${date!.slice(0, 2)}/${name}/${year}:${text.slice(11)}`;
  };
  it.each<[string, unknown]>([
    ['with Z', at(0)],
    ['in lower case', at(0).toLowerCase()],
    ['with an offset', `${offset(2)}+02:00`],
    ['with an offset without a colon', `${offset(2)}+0200`],
    ['with a negative offset without a colon', `${offset(-5)}-0500`],
    ['without an offset, which is UTC', `${day}T${clock}`],
    ['with a space instead of T', `${day} ${clock}`],
    ['with microseconds', `${day}T${clock}.000000+0000`],
    ['in seconds', NOON / 1000],
    ['in seconds, as text with a fraction', `${NOON / 1000}.000`],
    ['in milliseconds', NOON],
    ['in microseconds', `${NOON}000`],
    ['in nanoseconds', `${NOON}000000`],
    ['in microseconds between spaces', ` ${NOON}000 `],
    ['in the Common Log Format', `[${toCommon(offset(0))} +0000]`],
    ['in the Common Log Format with a colon in its offset', `${toCommon(offset(0))} -00:00`],
    ['in the Common Log Format of another zone', `[${toCommon(offset(2))} +0200]`],
    ['in the Common Log Format of a zone with half hours', `[${toCommon(offset(-3.5))} -0330]`],
  ])('is read %s', async (_, time) => {
    const { records, skipped } = await importBytes(`${JSON.stringify({ time, body })}\n`, {
      format: 'browser',
    });
    expect(skipped).toEqual([]);
    expect(records.map(record => record.date)).toEqual([at(0)]);
  });
});

describe('a report in a log', () => {
  const report = { type: 'csp-violation', age: 0, url: 'https://shop.example/', body: csp()['csp-report'] };
  const read = async (line: object) => {
    const { records, skipped } = await importBytes(JSON.stringify(line), { format: 'browser' });
    expect(skipped).toEqual([]);
    return records[0];
  };

  it.each([
    ['minus its age', 5000, -5000],
    ['minus its age of more than a day', 100_000_000, -100_000_000],
    ['if its age is negative', -5000, 0],
    ['if its age is unknown', 'x', 0],
  ])('has the time of the line %s', async (_, age, expected) => {
    expect((await read({ time: at(0), body: [{ ...report, age }] })).date).toBe(at(expected));
  });

  it('has its own time rather than that of a log shipper', async () => {
    const log = JSON.stringify({ time: at(0), ...csp()['csp-report'] });
    expect((await read({ log, time: at(9000) })).date).toBe(at(0));
  });

  it.each([
    ['its own', 'Mozilla/5.0 Gecko/20100101 Firefox/140.0', 'Firefox'],
    ["the line's", '', 'Opera'],
  ])('has the browser of %s user agent', async (_, user_agent, browser) => {
    const line = { time: at(0), user_agent: 'Opera/9.80', body: [{ ...report, user_agent }] };
    expect((await read(line)).browser).toBe(browser);
  });
});

describe('the original of a report', () => {
  const spaced = body.replace(':', ' : ');
  it.each<[string, string, string]>([
    ['a file', spaced, spaced],
    ['a list', `[${spaced}]`, spaced],
    ['a line of JSON', JSON.stringify({ time: at(0), body: spaced }), spaced],
    ['a list in a line of JSON', JSON.stringify({ time: at(0), body: `[${spaced}]` }), body],
    ['an object in a line of JSON', JSON.stringify({ time: at(0), body: csp() }), body],
    ['a line of text', `POST ${spaced}\n`, spaced],
    ['a line of a log shipper', JSON.stringify({ log: `POST ${spaced}`, time: at(0) }), spaced],
    ['JSON in a line of a log shipper', JSON.stringify({ log: spaced, time: at(0) }), spaced],
    [
      'pairs',
      `time="${at(0)}" level=info client_ip=192.0.2.1 blocked_uri=data document_uri=https://shop.example/ violated_directive=img-src`,
      '{"blocked_uri":"data","document_uri":"https://shop.example/","violated_directive":"img-src"}',
    ],
  ])('is what was sent, without what is around it: %s', async (_, text, raw) => {
    const { records } = await importBytes(text, { format: 'browser' });
    expect(records.map(record => record.raw)).toEqual([raw]);
  });
});

describe('equal reports in a log', () => {
  it('have distinct ids, regardless of their ages', async () => {
    const visitors = Array.from({ length: 300 }, (_, n) => toDelivery(n * 33, (n * 7919) % 5000));
    expect(new Set(await logIds(visitors)).size).toBe(300);
    expect(await logIds(visitors)).toEqual(await logIds(visitors));
  });

  it('share an id if the browser sent the same report again', async () => {
    const sent = [toDelivery(0, 500), toDelivery(60_000, 60_500), toDelivery(180_000, 180_500)];
    expect(new Set(await logIds(sent)).size).toBe(1);
    const two = [
      toDelivery(0, 500),
      toDelivery(0, 500),
      toDelivery(60_000, 60_500),
      toDelivery(60_000, 60_500),
    ];
    expect(new Set(await logIds(two)).size).toBe(2);
  });

  it('have the same ids in a compressed log and in one that has grown', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => toDelivery(n * 100, 0));
    const whole = await logIds(lines);
    const packed = gzipSync(lines.map(line => `${line}\n`).join(''));
    expect(ids(await importBytes(packed, { format: 'browser' }))).toEqual(whole);
    expect(whole).toEqual(expect.arrayContaining(await logIds(lines.slice(0, 23))));
  });

  it('have the same ids in overlapping log rotations', async () => {
    const events = fc.array(fc.record({ gap: fc.nat({ max: 400 }), page: fc.constantFrom('a', 'b') }), {
      minLength: 20,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(events, fc.double({ min: 0.2, max: 0.9, noNaN: true }), async (list, part) => {
        let now = 0;
        const times = list.map(({ gap }) => (now += gap));
        const lines = list.map(({ page }, n) => toDelivery(times[n]!, 0, `https://${page}.example/`));
        const cut = Math.floor(lines.length * part);
        const second = Math.floor(times[cut]! / 1000) * 1000;
        const begin = times.findIndex(time => time >= second);
        const found = [...(await logIds(lines.slice(0, cut))), ...(await logIds(lines.slice(begin)))];
        expect([...new Set(found)].sort()).toEqual(await logIds(lines));
      }),
      runs(10, 500),
    );
  });

  it('never get additional ids from a truncated log', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => toDelivery(n * 60, 0));
    const whole = new Set(await logIds(lines));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 40 }), fc.nat({ max: 40 }), async (from, to) => {
        for (const id of await logIds(lines.slice(from, to))) expect(whole).toContain(id);
      }),
      runs(10, 200),
    );
  });
});

describe('the directive of a violation', () => {
  it.each([
    ["img-src 'self' https://a.example", 'img-src'],
    ['SCRIPT-SRC', 'script-src'],
    [' style-src ', 'style-src'],
    ['Font-Src;', 'font-src'],
    ['\tscript-src-elem\n', 'script-src-elem'],
  ])('is extracted from %j', async (directive, expected) => {
    for (const name of ['effective-directive', 'violated-directive']) {
      const report = { 'csp-report': { 'document-uri': 'https://shop.example/', [name]: directive } };
      const { records } = await importBytes(JSON.stringify(report), { format: 'browser' });
      expect(records.map(record => record.directive)).toEqual([expected]);
    }
  });
});

describe('the fields of a line', () => {
  const read = async (line: object) => {
    const { records, skipped } = await importBytes(JSON.stringify(line), { format: 'browser' });
    expect(skipped).toEqual([]);
    return records[0];
  };

  it.each(['body', 'request_body', 'requestBody', 'post_data', 'payload', 'report'])(
    'can contain the body: %s',
    async name => expect((await read({ time: at(0), [name]: body })).date).toBe(at(0)),
  );

  it.each(['time', 'timestamp', '@timestamp', 'time_iso8601', 'time_local', 'ts', 'date', 'msec'])(
    'can contain the time: %s',
    async name => expect((await read({ [name]: at(0), body })).date).toBe(at(0)),
  );

  it.each(['user_agent', 'http_user_agent', 'userAgent', 'user-agent', 'ua'])(
    'can contain the user agent: %s',
    async name => expect((await read({ [name]: 'Opera/9.80', body })).browser).toBe('Opera'),
  );

  it.each([
    ...['log', 'MESSAGE', 'message', 'msg', 'line', 'full_message', 'short_message', 'textPayload', 'event'],
  ])('can contain the original line: %s', async name => {
    const line = `192.0.2.1 - - [x] ${body}`;
    expect((await read({ time: at(0), [name]: line })).date).toBe(at(0));
  });

  it.each([
    ...[
      '__REALTIME_TIMESTAMP',
      '_SOURCE_REALTIME_TIMESTAMP',
      '@timestamp',
      'time',
      'timestamp',
      'ts',
      'date',
    ],
  ])('can contain the time of the original line: %s', async name => {
    expect((await read({ [name]: at(0), log: body })).date).toBe(at(0));
  });
});

describe('the values of a JSON text', () => {
  const read = async (text: string, jsonDepth = 64) => {
    const found = await importBytes(text, { format: 'browser', bounds: { jsonDepth } });
    return [found.records.length, ...found.skipped];
  };

  it.each<[string, string, unknown[]]>([
    ['of a sequence', `\u001e${body}\n\u001e${body}\n`, [2]],
    ['without anything between them', `${body}${body}`, [2]],
    ['of a list', `[${body},${body}]`, [2]],
    ['over several lines', JSON.stringify([csp(), csp()], undefined, 2), [2]],
    [
      'of which one is no report',
      `[\n${body},\n7,\n{}]`,
      [1, 'file, value 2 is not a known report', 'file, value 3 is not a known report'],
    ],
    ['on lines, of which one is none', `${body}\n\n{x\n${body}\n`, [2, 'file, line 3 is not JSON']],
    ['on two lines, of which one is none', `{x\n${body}\n`, [1, 'file, line 1 is not JSON']],
    ['of a list with one on each line', `[${body},\n${body}\n]`, [2]],
    ['of which a line is a value by itself', `{\n"csp-report":\n${body.slice(14, -1)}\n}`, [1]],
    ['after an empty line, of which one is none', `\n{x\n${body}\n`, [1, 'file, line 2 is not JSON']],
    ['over lines that end with CRLF', `{\r\n"csp-report":\r\n${body.slice(14, -1)}\r\n}\r\n`, [1]],
    ['on the only line that is not empty', '{}\n \n', [0, 'file is not a known report']],
    ['that end too early', `[${body},\n{"a":`, [1, 'file ends too early']],
    ['of a list that does not end', `[${body},\n`, [1, 'file ends too early']],
    ['with escaped quotation marks', body.replace('x.js', 'x\\"}\\\\'), [1]],
  ])('are all read or reported %s', async (_, text, outcome) => {
    expect(await read(text)).toEqual(outcome);
  });

  it.each([
    [4, [1]],
    [3, [0, 'file is nested too deeply: over 3 levels']],
  ])('are nested in at most %i levels', async (depth, outcome) => {
    for (const extra of [{ a: {} }, [{}], [[]]]) {
      const deep = JSON.stringify({ 'csp-report': { ...csp()['csp-report'], extra } });
      expect(await read(deep, depth)).toEqual(outcome);
    }
  });
});
