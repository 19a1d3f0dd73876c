import { describe, expect, it } from 'vitest';
import { ExportCopies } from '../src/export-copies.ts';
import { importAsOf } from './recorded-imports.ts';

const AGGREGATE = 'org_name,report_id,begin_date,domain,source_ip_address,count,normalized_timespan';
const TLS = 'organization_name,report_id,begin_date,policy_domain,policy_type,result_type';
const DAY = '2026-11-20 00:00:00';
const toRow = (count: number | string, changed: Record<string, string> = {}) => {
  const row = { org_name: 'r', id: '1', date: DAY, domain: 'a.example', ip: '192.0.2.1', ...changed };
  return `${row.org_name},${row.id},${row.date},${row.domain},${row.ip},${count},${changed.long ?? ''}`;
};
const read = async (...lines: string[]) => {
  const { records, skipped, unstored, items } = await importAsOf(`${lines.join('\n')}\n`);
  return { counts: records.map(({ count }) => count), records, skipped, unstored, items };
};

describe('the rows of a table', () => {
  const undated = (long: string) => (_: unknown, index: number) => toRow(index, { date: 'x', long });

  it.each<[string, string, number, string[]]>([
    ['one', '', 1, ['line 2']],
    ['two', '', 2, ['lines 2–3']],
    ['500', '', 500, ['lines 2–501']],
    ['501', '', 501, ['lines 2–501', 'line 502']],
    ['1002', '', 1002, ['lines 2–501', 'lines 502–1001', 'lines 1002–1003']],
    ['5001 that are parts of days', 'True', 5001, ['lines 2–5001', 'line 5002']],
  ])('are read together up to a number, and named by their lines: %s', async (_, long, count, places) => {
    const { skipped, items } = await read(AGGREGATE, ...Array.from({ length: count }, undated(long)));
    expect(skipped).toEqual(places.map(place => `file, ${place} has no date range`));
    expect(items).toBe(count);
  });

  it('of TLS reports are read together up to 5000', async () => {
    const rows = Array.from({ length: 5001 }, () => 'r,1,x,a.example,sts,');
    const { skipped } = await read(TLS, ...rows);
    expect(skipped).toEqual(['lines 2–5001', 'line 5002'].map(place => `file, ${place} has no date range`));
  });

  it('are read together up to 4 MiB', async () => {
    const long = 'x'.repeat(1024 * 1024);
    const rows = Array.from({ length: 5 }, () => toRow(1, { date: 'x', ip: long }));
    const { skipped } = await read(AGGREGATE, ...rows);
    expect(skipped).toEqual(['lines 2–5', 'line 6'].map(place => `file, ${place} has no date range`));
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['the same report', {}, ['lines 2–4']],
    ['another organization', { org_name: 'q' }, ['line 2', 'line 3', 'line 4']],
    ['another id', { id: '2' }, ['line 2', 'line 3', 'line 4']],
    ['another domain', { domain: 'b.example' }, ['line 2', 'line 3', 'line 4']],
    ['another begin', { date: 'y' }, ['line 2', 'line 3', 'line 4']],
    ['another address', { ip: '192.0.2.2' }, ['lines 2–4']],
  ])('form a report while they are of the same one: %s', async (_, changed, places) => {
    const one = toRow(1, { date: 'x' });
    const { skipped } = await read(AGGREGATE, one, toRow(1, { date: 'x', ...changed }), one);
    expect(skipped).toEqual(places.map(place => `file, ${place} has no date range`));
  });

  it('of one report have their ids also behind rows of another one', async () => {
    const other = toRow(7, { id: '2' });
    const { records } = await read(AGGREGATE, toRow(1), toRow(1), other, toRow(1));
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
    expect(records[3].id).toBe(records[0].id);
  });

  it('begin again after a repeated header, which can have other columns', async () => {
    const columns = AGGREGATE.split(',');
    const reversed = columns.toReversed().join(',');
    const { counts, skipped, items } = await read(
      columns.map(name => ` ${name} `).join(','),
      toRow(1),
      AGGREGATE,
      toRow(2),
      reversed,
      toRow(3).split(',').toReversed().join(','),
    );
    expect([counts, skipped, items]).toEqual([[1, 2, 3], [], 3]);
  });

  it('of a report that is appended with its header have the ids of those before it', async () => {
    const { records } = await read(AGGREGATE, toRow(1), AGGREGATE, toRow(1));
    expect(records).toHaveLength(2);
    expect(records[1].id).toBe(records[0].id);
  });

  it('of TLS reports of two organizations are of two reports', async () => {
    const { records } = await read(TLS, ...['r', 'q'].map(name => `${name},1,${DAY},a.example,sts,`));
    expect(records.map(({ reporter }) => reporter)).toEqual(['r', 'q']);
  });

  it('are not a header of another kind, or one that lacks columns', async () => {
    const failure = 'feedback_type,arrival_date';
    const { counts, skipped } = await read(AGGREGATE, toRow(1), TLS, failure, 'org_name,report_id', toRow(2));
    expect(counts).toEqual([1, 2]);
    expect(skipped).toEqual(
      [6, 2, 2].map(
        (cells, index) =>
          `file, line ${index + 3} is a row with a different number of columns than the header: ${cells} of 7 cells`,
      ),
    );
  });

  it('with broken quotation marks are reported alone', async () => {
    const { counts, skipped } = await read(
      AGGREGATE,
      toRow(1),
      `${toRow(2)}x"y"`,
      toRow('"3"'),
      `a"b"c,"d`,
      '',
    );
    expect(counts).toEqual([1, 3]);
    expect(skipped).toEqual(['file, line 3 is not a CSV row', 'file, line 5 is not a CSV row']);
  });

  it('of failure reports are counted without being read', async () => {
    const { counts, unstored, items } = await read('feedback_type,arrival_date', 'auth-failure,x', 'x');
    expect([counts, unstored, items]).toEqual([[], ['dmarc-failure', 'dmarc-failure'], 2]);
  });

  it.each<[string, string]>([
    [AGGREGATE.replace('begin_date,', ''), 'begin_date'],
    [AGGREGATE.replace('domain,', '').replace(',count', ''), 'domain, count'],
    [TLS.replace('policy_type,', ''), 'policy_type'],
  ])('are refused without the columns that they need: %s', async (header, missing) => {
    const { skipped } = await read(header, toRow(1));
    expect(skipped).toEqual([`file is a table without columns that it needs: ${missing}`]);
  });
});

it.each(['failure_reports', 'forensic_reports'])('%s in an export of parsedmarc are counted', async name => {
  const { unstored, skipped } = await importAsOf(JSON.stringify({ aggregate_reports: [], [name]: [{}, {}] }));
  expect([unstored, skipped]).toEqual([['dmarc-failure', 'dmarc-failure'], []]);
});

describe('a row that is in a report and in an export', () => {
  it('is found in both orders within one import', () => {
    const copies = new ExportCopies();
    expect([copies.addReport('a'.repeat(43)), copies.addExport('a'.repeat(43))]).toEqual([false, true]);
    expect([copies.addExport('b'.repeat(43)), copies.addReport('b'.repeat(43))]).toEqual([false, true]);
    expect([copies.addExport('b'.repeat(43)), copies.addReport('a'.repeat(43))]).toEqual([true, false]);
    expect([copies.addExport('c'.repeat(43)), copies.addExport('c'.repeat(43))]).toEqual([false, false]);
  });

  it('is found also if an earlier import read it, which can have been the export', () => {
    const seen = new Set(['a'.repeat(43)]);
    const copies = new ExportCopies();
    copies.seen = seen;
    expect([copies.addExport('a'.repeat(43)), copies.addExport('b'.repeat(43))]).toEqual([true, false]);
    expect([...seen]).toEqual(['a'.repeat(43)]);
    expect([copies.addReport('c'.repeat(43)), copies.addExport('c'.repeat(43))]).toEqual([true, true]);
    expect([...seen]).toEqual(['a'.repeat(43), 'c'.repeat(43)]);
  });
});
