import { MS_PER_DAY, REPORT_TYPE_DEFINITIONS } from '@sightline/reports';
import { expect, it } from 'vitest';
import { groupBy } from '../../../schema/insights/group-by.ts';
import { groupOutcomes } from '../../../test/support/group-outcomes.ts';
import { DEMO_DEFAULTS, demoFeed } from '../src/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines of many kinds
type Line = Record<string, any>;

const TODAY = '2026-03-01';
const SIZE = { days: 45, reports: 4000, auditEvents: 400, incidents: true };
const feed = demoFeed({ ...DEMO_DEFAULTS, today: TODAY, ...SIZE });
const lines: Line[] = [...feed].flatMap(chunk => chunk.trimEnd().split('\n')).map(text => JSON.parse(text));
const ofKind = (kind: string) => lines.filter(line => line.kind === kind);

/** The numbers of planned reports begin at 2^40. */
const isPlanned = ({ id }: Line) => Number.parseInt(id.slice(-12), 16) >= 2 ** 40;
const reports = ofKind('report').filter(line => !isPlanned(line));
const planned = ofKind('report').filter(isPlanned);

const daysAgo = (time: string) => Math.ceil((Date.parse(TODAY) - Date.parse(time)) / MS_PER_DAY);

/** Summarizes values: the range and mean of numbers, and the most frequent texts without their numbers. */
function summarize(values: readonly unknown[]): string {
  const numbers = values.filter(value => typeof value === 'number');
  if (
    numbers.length > 0 &&
    numbers.length + values.filter(value => value === null).length === values.length
  ) {
    const sum = numbers.reduce((all, value) => all + value, 0);
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    const range = least === most ? least : `${least} to ${most}, mean ${(sum / numbers.length).toFixed(2)}`;
    return `${range}${numbers.length < values.length ? `, ${values.length - numbers.length} × null` : ''}`;
  }
  const texts = values.map(value =>
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')).replace(
      /[0-9a-f]{16,}|\d+/g,
      match => (match.length > 15 ? 'HEX' : '#'),
    ),
  );
  const groups = [...groupBy(texts, text => text)].sort(
    ([one, { length }], [other, { length: otherLength }]) => otherLength - length || (one < other ? -1 : 1),
  );
  const shown = groups.slice(0, 5).map(([text, { length }]) => `${text.slice(0, 70)} × ${length}`);
  return `${groups.length > 5 ? `${groups.length} texts: ` : ''}${shown.join(' | ')}`;
}

/** Flattens nested objects, and the JSON of `raw`. */
function flatten(value: Line, path = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, item]) => {
    const place = path + name;
    if (name === 'raw') return flatten(JSON.parse(item), 'raw.');
    return typeof item === 'object' && item !== null && !Array.isArray(item)
      ? flatten(item, `${place}.`)
      : [[place, item] as [string, unknown]];
  });
}

function summarizeFields(group: readonly Line[]): string {
  const fields = groupBy(
    group.flatMap(line => flatten(line)),
    ([name]) => name,
  );
  return [...fields]
    .filter(([name]) => !['kind', 'type', 'id', 'date', 'accountId', 'timestamp'].includes(name))
    .map(([name, entries]) => {
      const missing = group.length - entries.length;
      return `  ${name}: ${summarize(entries.map(([, value]) => value))}${missing > 0 ? `, ${missing} without` : ''}\n`;
    })
    .join('');
}

it('the settings of each account are as recorded', async () => {
  const SETTINGS = ['account', 'plan', 'setup', 'filters', 'wizard', 'policy', 'verdict', 'watch'];
  const domains = new Map(
    ofKind('account').map(({ id, email, teamName, members }): [string, string] => [
      id,
      (email ?? members?.[0].email ?? teamName).split('@')[1],
    ]),
  );
  const outcomes = lines
    .filter(({ kind }) => SETTINGS.includes(kind))
    .map((line): [string, string] => {
      const { accountId = line.id, ...rest } = line;
      const domain = domains.get(accountId)!;
      const text = JSON.stringify(line.kind === 'account' ? { ...rest, id: undefined } : rest);
      return [
        accountId,
        text
          .replaceAll(accountId, 'ACCOUNT')
          .replaceAll(domain, 'DOMAIN')
          .replaceAll(domain.charAt(0).toUpperCase() + domain.slice(1), 'Domain'),
      ];
    });
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/settings.txt');
});

it('findings, usage and audit events are as recorded', async () => {
  const toFinding = ({ firstSeen, lastSeen, ...line }: Line) => ({
    ...line,
    firstSeen: daysAgo(firstSeen),
    lastSeen: daysAgo(lastSeen),
    daysBetween: daysAgo(firstSeen) - daysAgo(lastSeen),
  });
  let text = '';
  for (const [name, group] of groupBy(ofKind('finding'), ({ product, site }) =>
    [product, site.split('.')[0]].join(' '),
  ))
    text += `${name}: ${group.length} findings\n${summarizeFields(group.map(toFinding))}`;
  for (const [name, group] of groupBy(ofKind('usage'), ({ type }) => type))
    text += `${name}: ${group.length} days with usage\n${summarizeFields(group.map(line => ({ ...line, date: undefined, daysAgo: daysAgo(line.date) })))}`;
  for (const [name, group] of groupBy(ofKind('auditEvent'), ({ event }) => event))
    text += `${name}: ${group.length} events\n${summarizeFields(group)}`;
  for (const [name, group] of groupBy(ofKind('certificate'), () => 'certificates'))
    text += `${name}: ${group.length}, ${new Set(group.map(({ sha256 }) => sha256)).size} different\n`;
  await expect(text).toMatchFileSnapshot('./recorded/activity.txt');
});

it('the fields of the reports of each type are as recorded', async () => {
  let text = '';
  for (const { type } of REPORT_TYPE_DEFINITIONS) {
    const own = reports.filter(report => report.type === type);
    text += `${type}: ${own.length} reports\n${summarizeFields(own)}\n`;
  }
  await expect(text).toMatchFileSnapshot('./recorded/reports.txt');
});

it('reports are distributed over accounts, days and hours as recorded', async () => {
  const tally = (name: string, toGroup: (line: Line) => unknown) => {
    const groups = [...groupBy(reports, line => String(toGroup(line)))];
    const sorted = groups.sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
    return `${name}: ${sorted.map(([group, { length }]) => `${group} × ${length}`).join(', ')}\n`;
  };
  const text = [
    tally('accounts', ({ accountId }) => accountId),
    tally('days ago', ({ date }) => daysAgo(date)),
    tally('days of the week', ({ date }) => new Date(date).getUTCDay()),
    tally('hours', ({ date }) => date.slice(11, 13)),
    tally('attacks, by days ago', ({ blockedUri, date }) =>
      String(blockedUri).includes('checkout-helper') ? daysAgo(date) : 'none',
    ),
    tally('forgotten images, by days ago', ({ blockedUri, date, accountId }) =>
      String(blockedUri).startsWith('https://images.') ? `${accountId} ${daysAgo(date)}` : 'none',
    ),
    tally('failing newsletters, by days ago', ({ organisation, aligned, date, accountId }) =>
      organisation === 'Newsletter Works Ltd' && !aligned ? `${accountId} ${daysAgo(date)}` : 'none',
    ),
    tally('unexpected certificates, by days ago', ({ issuer, date }) =>
      String(issuer).includes('Fast Certs') ? daysAgo(date) : 'none',
    ),
  ];
  await expect(text.join('')).toMatchFileSnapshot('./recorded/distribution.txt');
});

it('the planned incidents have the recorded reports', async () => {
  let text = '';
  const toIncident = ({
    accountId,
    type,
    blockedUri,
    organisation,
    featureId,
    subresourceUri,
    uri,
  }: Line) => {
    const what =
      featureId ??
      (organisation || undefined) ??
      subresourceUri ??
      blockedUri.replace(/\d+\.coupon/, '#.coupon');
    return [accountId, type, what === 'inline' ? uri : what].join(' ');
  };
  for (const [name, group] of groupBy(planned, toIncident)) {
    const days = groupBy(group, ({ date }) => String(daysAgo(date)));
    text += `${name}: ${group.length} reports\n`;
    text += `  days ago: ${[...days].map(([day, { length }]) => `${day} × ${length}`).join(', ')}\n`;
    const hours = group.map(({ date }) => date.slice(11, 16)).sort();
    text += `  hours: ${hours[0]} to ${hours.at(-1)}\n${summarizeFields(group.map(line => ({ ...line, raw: '{}' })))}`;
  }
  await expect(text).toMatchFileSnapshot('./recorded/incidents.txt');
});
