import { expect, it } from 'vitest';
import { reportingHeaders } from '../src/headers.ts';
import { measureJson } from '../src/json.ts';

const valuesOf = (...given: Parameters<typeof reportingHeaders>) =>
  reportingHeaders(...given).map(({ name, value }) => [name, value]);

it('a site that reports over TLS gets endpoints, two policies and network error logging', () => {
  const to = 'https://reports.example/r/TOKEN';
  expect(valuesOf(`${to}//`)).toEqual([
    ['Reporting-Endpoints', `default="${to}", csp="${to}/enforce", csp-try="${to}/report"`],
    [
      'Content-Security-Policy-Report-Only',
      `default-src 'self'; script-src 'self' 'report-sha256'; report-to csp-try; report-uri ${to}/report`,
    ],
    ['Content-Security-Policy', `default-src 'self'; report-to csp; report-uri ${to}/enforce`],
    [
      'Report-To',
      `{"group":"nel","max_age":2592000,"include_subdomains":true,"endpoints":[{"url":"${to}"}]}`,
    ],
    ['NEL', '{"report_to":"nel","max_age":2592000,"include_subdomains":true,"failure_fraction":1}'],
  ]);
});

it.each(['http://reports.example/r/TOKEN', 'HTTP://reports.example/r/TOKEN'])(
  'a site that reports to %s gets two policies with report-uri only',
  to => {
    expect(valuesOf(to)).toEqual([
      [
        'Content-Security-Policy-Report-Only',
        `default-src 'self'; script-src 'self' 'report-sha256'; report-uri ${to}/report`,
      ],
      ['Content-Security-Policy', `default-src 'self'; report-uri ${to}/enforce`],
    ]);
  },
);

it('policies can have their own addresses', () => {
  const own = { enforce: 'https://a.example/e', reportOnly: 'https://a.example/r' };
  const [endpoints, attempt, enforced] = valuesOf('https://reports.example/r/TOKEN', own);
  expect(endpoints![1]).toBe(
    'default="https://reports.example/r/TOKEN", csp="https://a.example/e", csp-try="https://a.example/r"',
  );
  expect(attempt![1]).toMatch(/report-uri https:\/\/a\.example\/r$/);
  expect(enforced![1]).toMatch(/report-uri https:\/\/a\.example\/e$/);
});

it.each([
  ['1', 0, 1],
  ['[]', 1, 2],
  ['[1,2]', 1, 3],
  ['{"a":[{}],"b":1}', 3, 5],
  ['[[],[[]]]', 3, 6],
  ['[[[]],[]]', 3, 6],
  ['"[{,"', 0, 1],
  [String.raw`["\"[","\\",[]]`, 2, 5],
])('the JSON %s has %i levels and at most %i values', (text, levels, values) => {
  expect(measureJson(Buffer.from(text))).toEqual({ levels, values });
});
