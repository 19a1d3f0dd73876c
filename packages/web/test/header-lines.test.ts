import { describe, expect, it } from 'vitest';
import { headerLines, SERVER_FORMS } from '../src/app/browser/views/server-forms.ts';

const HEADERS = [
  ['Reporting-Endpoints', 'default="https://r.example/a%20b"'],
  ['NEL', '{"report_to":"default\\"}'],
] as const;

describe('the lines for headers', () => {
  it.each([
    ['headers', ['Reporting-Endpoints: default="https://r.example/a%20b"', 'NEL: {"report_to":"default\\"}']],
    [
      'nginx',
      [
        'add_header Reporting-Endpoints "default=\\"https://r.example/a%20b\\"" always;',
        'add_header NEL "{\\"report_to\\":\\"default\\\\\\"}" always;',
      ],
    ],
    [
      'Apache',
      [
        'Header always set Reporting-Endpoints "default=\\"https://r.example/a%%20b\\""',
        'Header always set NEL "{\\"report_to\\":\\"default\\\\\\"}"',
      ],
    ],
    [
      'Caddy',
      [
        'header Reporting-Endpoints "default=\\"https://r.example/a%20b\\""',
        'header NEL "{\\"report_to\\":\\"default\\\\\\"}"',
      ],
    ],
  ] as const)('of %s quote quotes and backslashes', (form, lines) => {
    expect(headerLines(HEADERS, form).split('\n')).toEqual(lines);
    expect(SERVER_FORMS).toContain(form);
  });
});
