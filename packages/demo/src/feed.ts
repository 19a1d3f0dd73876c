import { bySize, createAccounts, type DemoAccount } from './accounts.ts';
import { auditLine } from './audit.ts';
import { type Calendar, createCalendar, listTimes } from './calendar.ts';
import { certificateLines, configurationLines } from './configuration.ts';
import { planIncidents } from './incidents.ts';
import type { DemoOptions } from './options.ts';
import { type Choice, Random } from './random.ts';
import { plannedLine, reportLine } from './report-lines.ts';
import { createThirdParties, type ThirdParties } from './third-parties.ts';
import { usageLines } from './usage.ts';
import { watchLines } from './watches.ts';

const CHUNK_LENGTH = 64 * 1024;

interface World {
  options: DemoOptions;
  calendar: Calendar;
  thirdParties: ThirdParties;
  accounts: readonly DemoAccount[];
  bySize: Choice<DemoAccount>;
}

/**
 * Generates the demo feed in chunks of complete lines: first the accounts with their configuration, then audit events
 * and reports by time. It is generated while it is read, so memory does not grow with the number of reports. The same
 * options produce the same bytes.
 */
export function* demoFeed(options: DemoOptions): Generator<string> {
  let chunk = '';
  for (const line of toLines(createWorld(options))) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function createWorld(options: DemoOptions): World {
  const { seed, largest } = options;
  const calendar = createCalendar(options, new Random(seed, 'calendar'));
  const thirdParties = createThirdParties(seed);
  const accounts = createAccounts(options, calendar, thirdParties);
  return { options, calendar, thirdParties, accounts, bySize: bySize(accounts, largest) };
}

function* toLines(world: World): Generator<string> {
  for (const account of world.accounts) {
    for (const line of accountLines(account, world)) yield JSON.stringify(line);
  }
  yield* auditLines(world);
  if (world.options.incidents) yield* incidentLines(world);
  yield* reportLines(world);
}

function* accountLines(account: DemoAccount, { options, calendar, thirdParties }: World) {
  const random = (purpose: string) => new Random(options.seed, `${purpose} of ${account.id}`);
  yield* configurationLines(account);
  yield* certificateLines(account);
  yield* watchLines(account, calendar, thirdParties, random('watches'));
  yield* usageLines(account, calendar, random('usage'));
}

function* auditLines(world: World): Generator<string> {
  const random = new Random(world.options.seed, 'audit events');
  let number = 0;
  for (const time of listTimes(world.calendar, world.options.auditEvents, random)) {
    yield JSON.stringify(auditLine(accountAt(time, world, random), time, number++, random));
  }
}

function* incidentLines({ accounts, calendar, thirdParties, options }: World): Generator<string> {
  const random = new Random(options.seed, 'incidents');
  for (const [number, planned] of planIncidents(accounts, calendar.today, random).entries())
    yield plannedLine(planned, thirdParties, calendar.today, number, random);
}

function* reportLines(world: World): Generator<string> {
  const random = new Random(world.options.seed, 'reports');
  let number = 0;
  const { thirdParties, calendar, options } = world;
  for (const time of listTimes(calendar, options.reports, random)) {
    const isLast = number === options.reports - 1;
    // Reports the certificate that the documentation requests, which belongs to the first account.
    const account = isLast ? world.accounts[0]! : accountAt(time, world, random);
    yield reportLine(account, thirdParties, { time, today: calendar.today, number, isLast }, random);
    number++;
  }
}

/**
 * A random account that existed at the time, weighted by size. The first account is older than the window, so there
 * always is one.
 */
function accountAt(time: number, world: World, random: Random): DemoAccount {
  for (;;) {
    const account = world.bySize.pick(random);
    if (account.createdAt <= time) return account;
  }
}
