import { describe, expect, it } from 'vitest';
import { HOSTILE } from './hostile.ts';
import { aggregateXml, gzip, importBytes, mailWith, toMbox, toZip } from './reports.ts';

describe('input that expands excessively', () => {
  const forms = ['empty policies', 'many policies of a reporter with a long name', 'nested bodies'];
  it.each(forms)('is rejected with a bounded result: %s', async name => {
    const bytes = HOSTILE[name]!(1);
    const { records, skipped } = await importBytes(bytes);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toMatch(/for its size|nested too deeply|too many (?:records|values)/);
    expect(JSON.stringify(records).length).toBeLessThan(4e6 + 200 * bytes.length);
  });

  it.each(['1,', '[],', '{},'])('is rejected before it is parsed as JSON: a million times %s', async part => {
    const { skipped } = await importBytes(`{"csp-report":[${part.repeat(1_000_001)}1]}`);
    expect(skipped).toEqual([expect.stringContaining('has too many values')]);
  });

  it('is rejected in linear time: a million lines that start a value', async () => {
    const plain = 'x'.repeat(4_000_000);
    const cost = async (text: string) => {
      const begin = process.cpuUsage();
      const { skipped } = await importBytes(gzip(text));
      expect(skipped).toHaveLength(1);
      const { user, system } = process.cpuUsage(begin);
      return user + system;
    };
    await cost(plain);
    expect(await cost('{"a\n'.repeat(1_000_000))).toBeLessThan(30 * (await cost(plain)) + 1_000_000);
  });

  it('does not affect its neighbours in a mailbox', async () => {
    const bomb = mailWith({ bytes: HOSTILE['empty policies']!(1) });
    const mails = [
      bomb,
      mailWith({ bytes: aggregateXml() }),
      bomb,
      mailWith({ bytes: aggregateXml([{}], 'b') }),
    ];
    const { records, skipped } = await importBytes(toMbox(...mails));
    expect(records).toHaveLength(2);
    expect(skipped).toHaveLength(2);
  });

  it('also ends the containing item, so several such parts cannot exceed the limit', {
    tags: 'slow',
  }, async () => {
    const bomb = HOSTILE['values that are not reports']!(1);
    const { skipped } = await importBytes(mailWith(...Array.from({ length: 30 }, () => ({ bytes: bomb }))));
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain('for its size');
  });

  it('is accepted if the growth limit is raised', async () => {
    const bytes = HOSTILE['values that are not reports']!(0.02);
    const { skipped } = await importBytes(bytes, { bounds: { growth: 1_000_000 } });
    expect(skipped).toHaveLength(8000);
  });

  it('does not include well-compressed reports', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({
      sourceIp: `192.0.${index >> 8}.${index & 255}`,
      count: 1 + ((index * 7919) % 1000),
    }));
    const { records, skipped } = await importBytes(gzip(aggregateXml(rows)));
    expect(skipped).toEqual([]);
    expect(records).toHaveLength(2000);
  });
});

it('file names in messages are truncated and contain no control characters', async () => {
  const { skipped } = await importBytes(toZip({ name: `\u001b[31m${'n'.repeat(60_000)}`, bytes: 'x' }));
  expect(skipped).toEqual([`file, member \u{fffd}[31m${'n'.repeat(250)} is in an unknown format`]);
});
