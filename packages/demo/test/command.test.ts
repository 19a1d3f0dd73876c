import { expect, it } from 'vitest';
import { demoCommand } from '../src/command.ts';
import { DEMO_DEFAULTS, DEMO_PERSONAL, type DemoOptions, demoFeed } from '../src/index.ts';

/** Returns the options that the command reads, or what it says about a wrong one. */
async function readOptions(...given: string[]): Promise<object | string> {
  let said = '';
  let options: object = {};
  await demoCommand()
    .exitOverride()
    .configureOutput({
      writeErr: text => {
        said += text;
      },
    })
    .action(read => {
      options = read;
    })
    .parseAsync(given, { from: 'user' })
    .catch(() => {});
  return said === '' ? options : said;
}

const { hoursOfToday: _, ...DEFAULTS } = DEMO_DEFAULTS;

it('the options of the command have the documented defaults', async () => {
  expect(await readOptions()).toEqual(DEFAULTS);
});

it.each<[string, string, keyof typeof DEFAULTS | 'today', unknown]>([
  ['--accounts', '1', 'accounts', 1],
  ['--accounts', '10000', 'accounts', 10_000],
  ['--reports', '0', 'reports', 0],
  ['--reports', '1000000000', 'reports', 1_000_000_000],
  ['--audit-events', '0', 'auditEvents', 0],
  ['--audit-events', '1000000000', 'auditEvents', 1_000_000_000],
  ['--days', '1', 'days', 1],
  ['--days', '3650', 'days', 3650],
  ['--largest', '0', 'largest', 0],
  ['--largest', '.5', 'largest', 0.5],
  ['--largest', '1', 'largest', 1],
  ['--seed', '0', 'seed', 0],
  ['--seed', '4294967295', 'seed', 4_294_967_295],
  ['--today', '2000-01-01', 'today', '2000-01-01'],
  ['--today', '2024-02-29', 'today', '2024-02-29'],
  ['--today', '2039-12-31', 'today', '2039-12-31'],
])('%s %s is accepted', async (option, value, name, expected) => {
  expect(await readOptions(option, value)).toEqual({ ...DEFAULTS, [name]: expected });
});

it.each([
  ['--accounts', '10001'],
  ['--reports', '1000000001'],
  ['--audit-events', '1000000001'],
  ['--days', '0'],
  ['--days', '3651'],
  ['--largest', '1.01'],
  ['--largest', '-0.1'],
  ['--largest', '1.'],
  ['--largest', '0.5x'],
  ['--largest', ''],
  ['--seed', '-1'],
  ['--today', '2040-01-01'],
  ['--today', '1999-12-31'],
  ['--today', '2026-2-3'],
  ['--today', '2026-02-29'],
  ['--today', '2026-13-01'],
  ['--today', '2026-01-01T00:00:00Z'],
])('%s %s is refused', async (option, value) => {
  const said = await readOptions(option, value);
  expect(said).toContain(`option '${option} <`);
  expect(said).toContain(`argument '${value}' is invalid`);
});

const TODAY = '2026-03-01';
const SMALL: DemoOptions = { ...DEMO_DEFAULTS, today: TODAY, reports: 500, auditEvents: 50, days: 30 };
type Line = {
  kind: string;
  id: string;
  accountId: string;
  date: string;
  createdAt: string;
  timestamp: string;
};
const toLines = (options: Partial<DemoOptions>): Line[] =>
  [...demoFeed({ ...SMALL, ...options })]
    .join('')
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text));
const reportsOf = (lines: readonly Line[]) => lines.filter(({ kind }) => kind === 'report');

it('chunks of the feed contain whole lines and, but for the last, at least 64 KiB', () => {
  const chunks = [...demoFeed(SMALL)];
  expect(chunks.length).toBeGreaterThan(5);
  expect(chunks.filter(chunk => !chunk.endsWith('\n') || chunk === '\n')).toEqual([]);
  const sizes = chunks.map(chunk => chunk.length);
  expect(sizes.slice(0, -1).filter(size => size < 65_536)).toEqual([]);
  const withoutLast = chunks.map(chunk => chunk.lastIndexOf('\n', chunk.length - 2));
  expect(withoutLast.filter(length => length >= 65_536)).toEqual([]);
});

it('each report and event is of an account that existed at the time', () => {
  const lines = toLines({});
  const created = new Map(
    lines.filter(({ kind }) => kind === 'account').map(({ id, createdAt }) => [id, createdAt]),
  );
  const timed = lines.filter(({ kind }) => kind === 'report' || kind === 'auditEvent');
  expect(timed).toHaveLength(550);
  const tooEarly = timed.filter(line => (line.date ?? line.timestamp) < created.get(line.accountId)!);
  expect(tooEarly.map(({ accountId }) => accountId)).toEqual([]);
});

it('the first account has its share of the reports, and all if there is no other', { tags: 'slow' }, () => {
  const share = (options: Partial<DemoOptions>) => {
    const reports = reportsOf(toLines(options));
    return reports.filter(({ accountId }) => accountId === DEMO_PERSONAL).length / reports.length;
  };
  expect([share({ accounts: 1 }), share({ accounts: 1, largest: 0 }), share({ largest: 1 })]).toEqual([
    1, 1, 1,
  ]);
  // The last report is always of the first account.
  expect(share({ largest: 0 })).toBe(1 / 500);
  expect(Math.abs(share({ largest: 0.4 }) - 0.4)).toBeLessThan(0.1);
});

it('the feed covers its days, of which the last has the given hours', () => {
  const range = (options: Partial<DemoOptions>) => {
    const dates = reportsOf(toLines(options))
      .map(({ date }) => date.slice(0, 13))
      .sort();
    return [dates.length, dates[0], dates.at(-1)];
  };
  expect(range({ days: 2, hoursOfToday: 0 })).toEqual([500, '2026-02-28T00', '2026-02-28T23']);
  expect(range({ days: 2 })).toEqual([500, '2026-02-28T00', '2026-03-01T05']);
  expect(range({ days: 1 })).toEqual([500, '2026-03-01T00', '2026-03-01T05']);
  expect(range({ days: 1, hoursOfToday: 1 })).toEqual([500, '2026-03-01T00', '2026-03-01T00']);
});
