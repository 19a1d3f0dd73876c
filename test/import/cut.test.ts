import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLine } from '@sightline/feed';
import type { FoundLine } from '@sightline/importer';
import { REPORT_TYPE_DEFINITIONS, type ReportField } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import { FoundReports } from '../../packages/importer/src/reports.ts';
import { aggregateXml, importBytes, recordXml, YESTERDAY } from '../../packages/importer/test/reports.ts';
import { sightlineHere } from '../support/sightline.ts';

/** Repeats a character of three bytes, so that a truncated text can end within a character. */
const long = (bytes: number) => '€'.repeat(Math.ceil(bytes / 3));

const tlsReport = JSON.stringify({
  'organization-name': 'receiver.example',
  'report-id': 'r',
  'date-range': { 'start-datetime': new Date(YESTERDAY * 1000).toISOString() },
  policies: [
    {
      policy: { 'policy-domain': 'shop.example', 'mx-host': ['mx.shop.example', `${long(300)}.example`] },
      'failure-details': [{ 'receiving-mx-hostname': long(400), 'failed-session-count': 1 }],
    },
  ],
});

const cspReport = JSON.stringify({
  type: 'csp-violation',
  url: 'https://shop.example/',
  body: { effectiveDirective: long(1025), blockedURL: long(70_000) },
});

describe('a text that exceeds the limit of the feed', () => {
  it('is truncated at a character boundary in browser reports', async () => {
    const { records, skipped } = await importBytes(cspReport);
    expect(skipped).toEqual([]);
    expect(records[0].directive).toBe('€'.repeat(341));
    expect(records[0].blockedUri).toBe('€'.repeat(21_845));
  });

  it('is truncated in the From domain of a DMARC report', async () => {
    const xml = recordXml().replace(/example.org(?=<.header_from)/, long(258));
    const { records, skipped } = await importBytes(aggregateXml([{ xml }, {}]));
    expect(skipped).toEqual([]);
    expect(records.map(({ headerFrom }) => headerFrom)).toEqual(['€'.repeat(85), 'example.org']);
  });

  it('is truncated in lists and nested objects', async () => {
    const { records, skipped } = await importBytes(tlsReport);
    expect(skipped).toEqual([]);
    expect(records[0].mxHosts).toEqual(['mx.shop.example', '€'.repeat(85)]);
    expect(records[0].failureDetails[0].receivingMxHostname).toBe('€'.repeat(85));
  });

  it('is counted in the summary', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-test-cut-'));
    const [cut, whole, feed] = ['cut.json', 'whole.xml', 'feed'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(cut, cspReport);
    await writeFile(whole, aggregateXml());
    const run = (...args: string[]) =>
      sightlineHere(['import', '--account', 'a', '--to-feed', feed, ...args], {});
    expect((await run(cut, whole)).stderr).toMatch(/^Imported csp 1, dmarc 1; .*; texts cut in 1; /);
    expect(JSON.parse((await run('--json', cut, whole)).stderr)).toMatchObject({ cut: 1 });
    expect((await run(whole)).stderr).not.toContain('cut');
    expect(JSON.parse((await run('--json', whole)).stderr)).toMatchObject({ cut: 0 });
    await rm(folder, { recursive: true });
  });

  it.each(REPORT_TYPE_DEFINITIONS)(
    'does not cause a report of type $type to be rejected',
    ({ type, fields }) => {
      const given = fields.filter(({ name, computed }) => !computed && !['id', 'date', 'raw'].includes(name));
      const short = listValues(given, 'short');
      const reports = new FoundReports({ accountId: 'a' });
      // Only one field at a time is long, because all together would exceed the limit of a line.
      for (const [name, value] of Object.entries(listValues(given, long(64 * 1024 + 1)))) {
        const fields = { ...short, [name]: value };
        const line = reports.line({ type, id: 'id', date: YESTERDAY * 1000, fields, raw: '' }) as FoundLine;
        expect(line.isCut, name).toBe(JSON.stringify(value).includes('€'));
        expect(readLine(line.text)).toMatchObject({ kind: 'report' });
      }
    },
  );
});

/** Returns a value for each field: the text where any text is accepted. */
function listValues(fields: readonly ReportField[], text: string): Record<string, unknown> {
  return Object.fromEntries(fields.map(field => [field.name, valueFor(field, text)]));
}

function valueFor({ kind, values, fields = [] }: ReportField, anyText: string): unknown {
  const text = values ? '' : anyText;
  const taken: Partial<Record<ReportField['kind'], unknown>> = {
    text,
    texts: [text, 'short'],
    object: listValues(fields, text),
    objects: [listValues(fields, text)],
    boolean: true,
    timestamp: new Date(YESTERDAY * 1000).toISOString(),
  };
  return taken[kind] ?? null;
}
