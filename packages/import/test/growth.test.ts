import { describe, expect, it } from 'vitest';
import { HOSTILE } from './hostile.ts';
import { aggregateXml, gzip, importBytes, mailWith, mboxOf, zipOf } from './reports.ts';

describe('little that would become much', () => {
  const forms = ['policies without anything', 'a long reporter of many policies', 'bodies in bodies'];
  it.each(forms)('is told, and gives little: %s', async name => {
    const bytes = HOSTILE[name]!(1);
    const { records, skipped } = await importBytes(bytes);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toMatch(/for its size|nested too deeply|too many (?:records|values)/);
    expect(JSON.stringify(records).length).toBeLessThan(4e6 + 200 * bytes.length);
  });

  it.each(['1,', '[],', '{},'])('is told before it is read as JSON: a million times %s', async part => {
    const { skipped } = await importBytes(`{"csp-report":[${part.repeat(1_000_001)}1]}`);
    expect(skipped).toEqual([expect.stringContaining('has too many values')]);
  });

  it('leaves the mails beside it', async () => {
    const bomb = mailWith({ bytes: HOSTILE['policies without anything']!(1) });
    const mails = [
      bomb,
      mailWith({ bytes: aggregateXml() }),
      bomb,
      mailWith({ bytes: aggregateXml([{}], 'b') }),
    ];
    const { records, skipped } = await importBytes(mboxOf(...mails));
    expect(records).toHaveLength(2);
    expect(skipped).toHaveLength(2);
  });

  it('ends what it is packed in, so that no number of such parts is more', async () => {
    const bomb = HOSTILE['what is no report']!(1);
    const { skipped } = await importBytes(mailWith(...Array.from({ length: 30 }, () => ({ bytes: bomb }))));
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain('for its size');
  });

  it('is taken where more is asked for', async () => {
    const bytes = HOSTILE['what is no report']!(0.02);
    const { skipped } = await importBytes(bytes, { bounds: { growth: 1_000_000 } });
    expect(skipped).toHaveLength(8000);
  });

  it('is what no report is: those that are packed well are taken', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      sourceIp: `192.0.${index >> 8}.${index & 255}`,
      count: 1 + ((index * 7919) % 1000),
    }));
    const { records, skipped } = await importBytes(gzip(aggregateXml(rows)));
    expect(skipped).toEqual([]);
    expect(records).toHaveLength(5000);
  });
});

it('shows the begin of a long name in a zip, without control characters', async () => {
  const { skipped } = await importBytes(zipOf({ name: `\u001b[31m${'n'.repeat(60_000)}`, bytes: 'x' }));
  expect(skipped).toEqual([`file, member \u{fffd}[31m${'n'.repeat(250)} is of no form that is known`]);
});
