import { DEFAULT_BOUNDS, OUTERMOST } from '@sightline/importer';
import { expect, it } from 'vitest';
import { aggregateXml } from '../../packages/importer/test/reports.ts';
import { ImportSession } from '../../src/cli/import-lines.ts';

it('aborts on Ctrl-C between files that are read without waiting', async () => {
  const interruption = new AbortController();
  setImmediate(() => interruption.abort());
  const options = { accountId: 'a', format: 'auto', action: 'enforced', stripQuery: false } as const;
  const importing = new ImportSession({ ...options, bounds: DEFAULT_BOUNDS }, interruption.signal);
  const report = Buffer.from(aggregateXml());
  let read = 0;
  async function* items() {
    for (; read < 20_000; read++)
      yield {
        place: `${read}`,
        name: '',
        modified: 0,
        nesting: OUTERMOST,
        content: (async function* () {
          yield report;
        })(),
      };
  }
  const whole = async () => {
    for await (const _ of importing.lines(items()));
  };
  await expect(whole()).rejects.toThrow('aborted');
  importing.close();
  expect(read).toBeLessThan(20_000);
});
