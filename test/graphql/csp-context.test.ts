import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

/** Raw reports in the formats of browsers and collectors. */
const RAW: Record<string, object | string> = {
  reportTo: {
    type: 'csp-violation',
    body: {
      sourceFile: 'https://shop.example/a.js?session=1#x',
      lineNumber: 3,
      columnNumber: 4,
      sample: 'alert(1)\0\ud800',
      statusCode: 200,
    },
  },
  reportUri: {
    'csp-report': { 'source-file': 'moz-extension://1/x.js', 'line-number': '12', 'script-sample': 'run()' },
  },
  bare: { 'source-file': 'chrome-extension', 'status-code': 404 },
  list: '[{"type": "csp-violation"}]',
  broken: '{"csp-report": {"source-file": "https://shop.example/b.js"',
};

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 60 }));
  const inline = { uri: 'https://shop.example/', blockedUri: 'inline', directive: 'script-src-elem' };
  await service.load(
    ...Object.entries(RAW).map(([id, raw]) =>
      report('ada', 'csp', id, { ...inline, raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
    ),
    report('ada', 'csp', 'impossible', {
      ...inline,
      directive: 'img-src',
      blockedUri: 'https://cdn.example/a.png',
      policy: "default-src 'none'; img-src https://*.example 'nonce-abc'",
    }),
    report('ada', 'csp', 'sampled', {
      ...{ ...inline, date: '2026-05-19T12:00:00Z', samplingRate: 0.25, raw: JSON.stringify(RAW.reportTo) },
    }),
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const FIELDS = 'sourceFile lineNumber columnNumber sample statusCode';
const NOTHING = { sourceFile: '', lineNumber: null, columnNumber: null, sample: '', statusCode: 0 };

it('reads the context of a violation from raw reports of every format', async () => {
  const { viewer } = await data(
    service,
    key,
    `{ viewer { cspReports(unit: days, date: "2026-05-20") { reports { raw ${FIELDS} } } } }`,
  );
  const found = new Map(viewer.cspReports.reports.map(({ raw, ...rest }: { raw: string }) => [raw, rest]));
  const of = (id: string) => {
    const raw = RAW[id]!;
    return found.get(typeof raw === 'string' ? raw : JSON.stringify(raw));
  };
  const reportTo = {
    sourceFile: 'https://shop.example/a.js',
    lineNumber: 3,
    columnNumber: 4,
    statusCode: 200,
  };
  expect(of('reportTo')).toEqual({ ...reportTo, sample: 'alert(1)\u{fffd}\u{fffd}' });
  const reportUri = { sourceFile: 'moz-extension://1/x.js', lineNumber: 12, sample: 'run()' };
  expect(of('reportUri')).toEqual({ ...NOTHING, ...reportUri });
  expect(of('bare')).toEqual({ ...NOTHING, sourceFile: 'chrome-extension', statusCode: 404 });
  expect(of('list')).toEqual(NOTHING);
  expect(of('broken')).toEqual(NOTHING);
});

it('keeps the context of a report that the collector has sampled', async () => {
  const { viewer } = await data(
    service,
    key,
    `{ viewer { cspReports(unit: days, date: "2026-05-19") { reports { samplingRate sourceFile lineNumber } } } }`,
  );
  expect(viewer.cspReports.reports).toEqual([
    { samplingRate: 0.25, sourceFile: 'https://shop.example/a.js', lineNumber: 3 },
  ]);
});

it('groups reports by source file, sample and source class', async () => {
  const groups = `groups { keys { value } count }`;
  const { viewer } = await data(
    service,
    key,
    `{ viewer {
      files: reportGroups(type: csp, unit: days, date: "2026-05-20", by: [SOURCE_FILE]) { ${groups} }
      samples: reportGroups(type: csp, unit: days, date: "2026-05-20", by: [SAMPLE]) { ${groups} }
      classes: reportGroups(type: csp, unit: days, date: "2026-05-20", by: [SOURCE_CLASS]) { ${groups} }
      rest: reportGroups(type: csp, unit: days, date: "2026-05-20", by: [SOURCE_CLASS],
        not: { sourceClass: [extension, impossible] }) { ${groups} } } }`,
  );
  const counts = (name: string) =>
    Object.fromEntries(
      viewer[name].groups.map(({ keys, count }: { keys: { value: string }[]; count: number }) => [
        keys[0]!.value,
        count,
      ]),
    );
  expect(counts('files')).toEqual({
    '': 3,
    'https://shop.example/a.js': 1,
    'moz-extension://1/x.js': 1,
    'chrome-extension': 1,
  });
  expect(counts('samples')).toEqual({ '': 4, 'alert(1)\u{fffd}\u{fffd}': 1, 'run()': 1 });
  expect(counts('classes')).toEqual({ inline: 3, extension: 2, impossible: 1 });
  expect(counts('rest')).toEqual({ inline: 3 });
});

it('includes the context in exports but not in /v1', async () => {
  const { body } = await service.get('/v1/reports/csp?unit=days&date=2026-05-20', key);
  for (const name of FIELDS.split(' ')) expect(body.reports[0]).not.toHaveProperty(name);
  const answer = await service.request('/export/reports/csp?sourceClass=impossible', {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(JSON.parse(answer.text.trim())).toMatchObject({ id: 'impossible', ...NOTHING });
});
