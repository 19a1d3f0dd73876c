import { MS_PER_DAY, type ReportType } from '@sightline/reports';
import type { DemoAccount } from './accounts.ts';
import { timeOrderedId, timestamp } from './calendar.ts';
import type { Random } from './random.ts';
import { CONTENT } from './reports/content.ts';
import { HEALTH } from './reports/health.ts';
import { ISOLATION } from './reports/isolation.ts';
import { MAIL } from './reports/mail.ts';
import { NETWORK } from './reports/network.ts';
import type { PlannedValues, ReportFields, Scene } from './reports/scene.ts';
import { TRANSPARENCY } from './reports/transparency.ts';
import { storiedType } from './stories.ts';
import type { ThirdParties } from './third-parties.ts';

const FIELDS_OF: Record<ReportType, (scene: Scene) => ReportFields> = {
  ...CONTENT,
  ...HEALTH,
  ...ISOLATION,
  ...MAIL,
  ...NETWORK,
  ...TRANSPARENCY,
};

/** The position of a report in the feed. */
interface Place {
  time: number;
  /** The start of today. */
  today: number;
  /** From 0. */
  number: number;
  isLast: boolean;
}

/** A report that does not follow the random course of the feed. */
export interface PlannedReport {
  account: DemoAccount;
  type: ReportType;
  time: number;
  values: PlannedValues;
}

/** Formats a report as a line of the feed, without the line break. */
export function reportLine(
  account: DemoAccount,
  thirdParties: ThirdParties,
  { time, today, number, isLast }: Place,
  random: Random,
): string {
  const daysAgo = Math.ceil((today - time) / MS_PER_DAY);
  const type = storiedType({ account, daysAgo, isLast, random }) ?? account.reportTypes.pick(random);
  const made = FIELDS_OF[type]({ account, thirdParties, time, daysAgo, isLast, random });
  // Simulates a collector that samples some browsers' reports.
  if ('browser' in made && number % 7 === 0) made.samplingRate = 0.5;
  const fields = JSON.stringify(made);
  const id = timeOrderedId(time, number, random);
  return formatLine(account, type, id, time, fields);
}

/** The numbers of planned reports begin here, so that their ids differ from those of the other reports. */
const FIRST_PLANNED = 2 ** 40;

/** Formats a planned report as a line of the feed. @param number from 0 */
export function plannedLine(
  { account, type, time, values }: PlannedReport,
  thirdParties: ThirdParties,
  today: number,
  number: number,
  random: Random,
): string {
  const daysAgo = Math.ceil((today - time) / MS_PER_DAY);
  const made = FIELDS_OF[type]({
    account,
    thirdParties,
    time,
    daysAgo,
    isLast: false,
    random,
    planned: values,
  });
  const count = values.mail?.count ?? 1;
  const id = timeOrderedId(time, FIRST_PLANNED + number, random);
  return formatLine(account, type, id, time, JSON.stringify({ ...made, count }));
}

function formatLine(
  { id: account }: DemoAccount,
  type: ReportType,
  id: string,
  time: number,
  fields: string,
) {
  // Formatted by hand, since there are millions of lines and nothing in their head needs escaping.
  const head = `{"kind":"report","accountId":"${account}","type":"${type}","id":"${id}"`;
  return `${head},"date":"${timestamp(time)}",${fields.slice(1)}`;
}
