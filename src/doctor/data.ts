import type { Statements } from '@sightline/pg-client';
import { existingMonths } from '../../sql/feed/partitions.ts';
import { monthsAhead } from '../../sql/maintenance/months.ts';
import { EXTENSIONS } from '../../sql/maintenance/rare-filters.ts';
import { databaseSize, installedExtensions, partitionSizes } from '../../sql/operator/examination.ts';
import { hoursSinceRuns, newestMail, type ScheduledCommand } from '../../sql/operator/last-run.ts';
import { type Diagnosis, good, warning } from './finding.ts';

/** Hours after which a scheduled command is overdue. */
const OVERDUE: Readonly<Record<ScheduledCommand, number>> = { load: 24, maintain: 48 };

/** The number of partitions listed with their size. */
const NAMED = 3;

/** Checks the data of a migrated database. @param today the UTC day as `YYYY-MM-DD` */
export async function checkData(sql: Statements, today: string): Promise<Diagnosis[]> {
  return [
    await checkExtensions(sql),
    await checkPartitions(sql, today),
    await checkDisk(sql),
    ...(await checkRuns(sql)),
    ...(await checkMailbox(sql)),
  ];
}

async function checkExtensions(sql: Statements): Promise<Diagnosis> {
  const installed = await installedExtensions(sql);
  const missing = EXTENSIONS.filter(name => !installed.includes(name));
  if (missing.length === 0) return good('extensions', `${EXTENSIONS.join(', ')} are installed`);
  const statements = missing.map(name => `create extension ${name}`);
  return warning(
    'extensions',
    `without ${missing.join(', ')} rare filters are slow in large months`,
    `let an administrator of the database run "${statements.join('; ')}", and then "sightline maintain"`,
  );
}

async function checkPartitions(sql: Statements, today: string): Promise<Diagnosis> {
  const existing = await existingMonths(sql);
  const missing = monthsAhead(today).filter(month => !existing.includes(month));
  if (missing.length === 0) return good('partitions', 'this month and the next two have their partitions');
  return warning(
    'partitions',
    `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no partition`,
    'run "sightline maintain", daily, from a timer',
  );
}

async function checkDisk(sql: Statements): Promise<Diagnosis> {
  const total = await databaseSize(sql);
  const sizes = await partitionSizes(sql);
  const largest = sizes.slice(0, NAMED).map(({ name, bytes }) => `${name} ${mebibytes(bytes)}`);
  const partitions = sizes.length === 1 ? '1 partition' : `${sizes.length} partitions`;
  return good('disk', [`${mebibytes(total)} in ${partitions} and other tables`, ...largest].join('; '));
}

/** The age in days after which mail reports are overdue. Reporters send one report a day, on the following day. */
const MAIL_OVERDUE = 3;

/** Detects a mail fetcher that has stopped: imports still run, but add nothing new. */
async function checkMailbox(sql: Statements): Promise<Diagnosis[]> {
  const newest = await newestMail(sql);
  if (!newest) return [];
  const says = `the newest DMARC or TLS report is of ${newest.day}`;
  if (newest.age <= MAIL_OVERDUE) return [good('newest mail', says)];
  const remedy = 'check the program that fetches the mailbox, and the rua addresses in DNS';
  return [warning('newest mail', `${says}, ${newest.age} days ago`, remedy)];
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

async function checkRuns(sql: Statements): Promise<Diagnosis[]> {
  const hours = await hoursSinceRuns(sql);
  return (Object.keys(OVERDUE) as ScheduledCommand[]).map(command => checkRun(command, hours.get(command)));
}

function checkRun(command: ScheduledCommand, hours: number | undefined): Diagnosis {
  const check = `last ${command}`;
  const names = command === 'load' ? '"sightline load" or "sightline import"' : `"sightline ${command}"`;
  const remedy = `run ${names} from a timer, and look at the log of its last run`;
  if (hours === undefined) return warning(check, `no ${names} is on record`, remedy);
  const says = `${names} ended ${hours.toFixed(1)} hours ago`;
  return hours <= OVERDUE[command] ? good(check, says) : warning(check, says, remedy);
}
