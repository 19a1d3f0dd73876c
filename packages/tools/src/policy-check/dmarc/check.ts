import { CheckDmarcDocument, type CheckDmarcQuery } from '../../documents.generated.ts';
import type { ServiceConnection } from '../../service/service.ts';
import { plural } from '../../terminal/plural.ts';
import { findRetentionGaps } from '../retention.ts';
import type { DmarcRecord } from './record.ts';

export interface DmarcFile extends DmarcRecord {
  file: string;
  domain: string;
}

export interface DmarcCheckOptions {
  /** Returns the start of the period, based on the service's clock. */
  from: (now: Date) => string;
  files: readonly DmarcFile[];
  /** Number of messages from the account's own senders that a record may lose. */
  allow: number;
  allowEmpty: boolean;
}

type Answer = NonNullable<CheckDmarcQuery['viewer']>;
type Replay = NonNullable<Answer['dmarcReplay']>;
type Sender = Replay['senders'][number];
type Cause = Sender['reasons'][number]['cause'];

/** The result of a check. `incomplete` counts as not passed, because missing reports could change the result. */
export type DmarcResult = 'passed' | 'failed' | 'incomplete';

export interface LosingSender {
  sender: string;
  messages: number;
  /** Number of messages that are delivered under the published policy, but not under the record. */
  lost: number;
  reasons: Sender['reasons'];
  repair: string;
}

export interface CheckedRecord extends DmarcFile {
  result: DmarcResult;
  /** The published policy in the latest reports; null if they do not contain it. */
  published: string | null;
  /** The record to publish. */
  record: string;
  counts: Record<'messages' | 'delivered' | 'quarantined' | 'rejected' | 'lost' | 'unexamined', number>;
  senders: LosingSender[];
  readiness: Replay['readiness'];
  notes: string[];
  /** Reasons why the check is incomplete. */
  incomplete: string[];
  limits: string[];
}

export interface DmarcCheckReport {
  allow: number;
  result: DmarcResult;
  from: string;
  records: CheckedRecord[];
}

/** Replays each record against the reports of its domain. */
export async function checkDmarc(
  service: ServiceConnection,
  options: DmarcCheckOptions,
): Promise<DmarcCheckReport> {
  const records: CheckedRecord[] = [];
  let from = options.from(service.now());
  for (const file of options.files) {
    let answer = await ask(service, file, file.text, from);
    const right = options.from(service.now());
    // The period depends on the service's clock, which the first response contains.
    if (Math.abs(Date.parse(right) - Date.parse(from)) >= 60_000) {
      from = right;
      answer = await ask(service, file, file.text, from);
    }
    records.push(await checkRecord(service, file, answer, from, options));
  }
  const results = new Set(records.map(({ result }) => result));
  const result = results.has('incomplete') ? 'incomplete' : results.has('failed') ? 'failed' : 'passed';
  return { allow: options.allow, result, from, records };
}

const ask = (service: ServiceConnection, { domain }: DmarcFile, policy: string, from: string) =>
  service.ask(CheckDmarcDocument, { domain, policy, from });

async function checkRecord(
  service: ServiceConnection,
  file: DmarcFile,
  { plan, dmarcReplay }: Answer,
  from: string,
  options: DmarcCheckOptions,
): Promise<CheckedRecord> {
  const replay = dmarcReplay!;
  const { messages, delivered, quarantined, rejected, published, record, readiness, otherCount } = replay;
  const before = published ? (await ask(service, file, published, from)).dmarcReplay! : undefined;
  const losses = findLosses(replay, before);
  const senders = losses.filter(({ kind }) => kind === 'mine').map(toLosing);
  const lost = senders.reduce((sum, one) => sum + one.lost, 0);
  const incomplete = findGaps(file, plan?.dataRetentionDays, replay, lost, from, service.now(), options);
  return {
    ...file,
    result: incomplete.length > 0 ? 'incomplete' : lost > options.allow ? 'failed' : 'passed',
    published,
    record,
    counts: { messages, delivered, quarantined, rejected, lost, unexamined: otherCount },
    senders,
    readiness,
    notes: listNotes(replay, losses),
    incomplete,
    limits: [...replay.limits, COMPARISON],
  };
}

const COMPARISON =
  'Messages are compared by sender: one that the record newly delivers offsets one of the same sender that it newly loses.';

type Loss = Sender & { lost: number };

/**
 * Returns the senders that lose messages. Without a published policy, receivers deliver all messages, as with p=none.
 */
function findLosses({ senders }: Replay, before: Replay | undefined): Loss[] {
  const delivered = new Map(before?.senders.map(one => [one.sender, one.delivered]));
  return senders
    .map(one => ({ ...one, lost: (delivered.get(one.sender) ?? one.messages) - one.delivered }))
    .filter(({ lost }) => lost > 0)
    .toSorted((one, other) => other.lost - one.lost);
}

function toLosing({ sender, messages, lost, reasons }: Loss): LosingSender {
  const [main] = reasons;
  return {
    sender,
    messages,
    lost,
    reasons,
    repair: main ? REPAIRS[main.cause] : 'Turn on DKIM at the sender.',
  };
}

/** Instructions for the repair of each cause, as in docs/mail-policies.md. */
const REPAIRS: Record<Cause, string> = {
  noDkim: 'Turn on DKIM at the sender, with a key below your domain.',
  dkimFails: 'Publish the DKIM key that the sender names, and look for servers that change messages.',
  dkimUnaligned: 'Have the sender sign with your domain.',
  returnPathUnaligned: 'Set a return path below your domain at the sender, or have it sign with your domain.',
  spfFails: 'Add the sender to the SPF record of the domain of its return path.',
  forwarded: 'Have the sender sign with DKIM: it survives forwarding, and SPF does not.',
};

function findGaps(
  { domain }: DmarcFile,
  days: number | undefined,
  { messages, otherCount }: Replay,
  lost: number,
  from: string,
  now: Date,
  { allow, allowEmpty }: DmarcCheckOptions,
): string[] {
  const gaps = findRetentionGaps(from, days, now);
  if (messages === 0 && !allowEmpty)
    gaps.push(
      `There are no DMARC reports of ${domain} since ${from}, so the policy cannot be checked. Check --domain, or pass --allow-empty.`,
    );
  // The record may lose messages that were not examined.
  if (lost <= allow && lost + otherCount > allow)
    gaps.push(
      `Not examined: ${plural(otherCount, 'message')} of rare combinations. Use a shorter --since, or --allow ${lost + otherCount}.`,
    );
  return gaps;
}

function listNotes(replay: Replay, losses: readonly Loss[]): string[] {
  const { published, notes, readiness, days, messages, uncertain, otherSenders, otherRecords } = replay;
  const forwarded = losses.reduce((sum, { kind, lost }) => sum + (kind === 'forwarder' ? lost : 0), 0);
  return [
    ...notes,
    !published && messages > 0 && 'Reports do not say which policy is published: p=none is assumed.',
    readiness.state === 'wait' &&
      `Reports of ${days} days are few for a decision: wait for 14 days and 100 messages of your senders.`,
    uncertain > 0 &&
      `Reports do not say enough about ${uncertain} messages: they count with the most likely outcome.`,
    forwarded > 0 && `${forwarded} messages that others forward would also be lost.`,
    otherRecords > 0 && `${otherRecords} messages of sub-domains with a record of their own are not counted.`,
    otherSenders > 0 &&
      `${otherSenders} senders are not listed. Your senders with more than 1 % of failing messages come first.`,
  ].filter(note => typeof note === 'string');
}
