import { isUnknown, REPORT_TYPE_DEFINITIONS } from '@sightline/reports';
import { expect, it } from 'vitest';
import { importBytes } from '../../importer/test/reports.ts';
import { DEMO_DEFAULTS, demoFeed } from '../src/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: reports of many types
type Line = Record<string, any>;

const TODAY = '2026-03-01';
const feed = demoFeed({ ...DEMO_DEFAULTS, today: TODAY, days: 45, reports: 3000, auditEvents: 0 });
const reports: Line[] = [...feed]
  .flatMap(chunk => chunk.trimEnd().split('\n'))
  .map(text => JSON.parse(text))
  .filter(({ kind }) => kind === 'report');

it('the original of each browser and TLS report is imported as the report itself', async () => {
  const types = REPORT_TYPE_DEFINITIONS.filter(({ type, fromBrowser }) => fromBrowser || type === 'tls_rpt');
  for (const { type, fields } of types) {
    const own: Line[] = reports.filter(report => report.type === type).slice(0, 40);
    // An original does not contain what collectors and loaders add.
    const given = fields.filter(
      ({ name, computed, threatIntelligence }) =>
        !computed &&
        !threatIntelligence &&
        !['id', 'date', 'raw', 'count', 'samplingRate', 'organisation'].includes(name),
    );
    const originals = own.map(({ raw }) => `${raw}\n`).join('');
    const modified = Date.parse(`${TODAY}T12:00:00Z`);
    const imported = await importBytes(originals, { now: new Date(modified) }, { modified });
    expect([type, imported.skipped]).toEqual([type, []]);
    // Without an envelope, the browser is not named.
    const ofEnvelope = ({ raw }: Line) => raw.includes('"user_agent"') || type === 'tls_rpt';
    const toValues = (line: Line) =>
      Object.fromEntries(
        given.map(({ name }) => [
          name,
          isUnknown(line[name] ?? null) ? 'none' : JSON.stringify(line[name]).replace('.000Z', 'Z'),
        ]),
      );
    const differing = own.flatMap((line, index) => {
      const [expected, found] = [toValues(line), toValues(imported.records[index])];
      return Object.keys(expected)
        .filter(
          name => expected[name] !== found[name] && (ofEnvelope(line) || !/^(browser|platform)$/.test(name)),
        )
        .map(name => `${type} ${name}: ${expected[name]} imported as ${found[name]}`);
    });
    expect(differing).toEqual([]);
  }
});
