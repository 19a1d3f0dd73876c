import {
  assessSts,
  formatStsPolicy,
  getTlsEffect,
  parseStsPolicy,
  type Readiness,
  type TlsEffect,
} from '@sightline/reports/mail';
import type { Account } from '../sql/account.ts';
import { type TlsFailure, type TlsSessionsOfDomain, tlsSessions } from '../sql/mail-replay.ts';
import { toSiteKey } from '../sql/watches.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { ReadinessStateEnum } from './mail-replay-types.ts';
import { clampToRetention, periodOfArguments } from './report-query.ts';

const LIMITS = [
  'Only senders that send reports of TLS are counted; most do not.',
  'A session is not a message: a sender tries the next mail exchanger, and again later, before it returns a message.',
  'Senders that do not support MTA-STS deliver as they did before.',
];

const EffectEnum = builder.enumType('MtaStsEffect', {
  description: 'The effect of a failure once an MTA-STS policy is enforced.',
  subGraphs: ['graph'],
  values: {
    refused: { value: 'refused', description: 'The sender does not deliver in this session.' },
    unprotected: { value: 'unprotected', description: 'The sender has no policy and delivers as before.' },
    none: { value: 'none', description: 'MTA-STS does not change the result, as with DANE.' },
  } satisfies Record<TlsEffect, { value: TlsEffect; description: string }>,
});

interface Failure extends TlsFailure {
  effect: TlsEffect;
}

const FailureType = builder.objectRef<Failure>('MtaStsFailure').implement({
  description: 'Sessions that failed for the same reason at the same mail exchanger.',
  subGraphs: ['graph'],
  fields: t => ({
    resultType: t.exposeString('resultType', { description: 'The result type, as RFC 8460 names it.' }),
    exchanger: t.exposeString('exchanger', { description: 'The mail exchanger; empty if unknown.' }),
    effect: t.expose('effect', { type: EffectEnum, description: 'The effect once the policy is enforced.' }),
    sessions: t.expose('sessions', { type: 'Counter', description: 'The number of sessions that failed.' }),
    reporters: t.expose('reporters', {
      type: 'Counter',
      description: 'The number of senders that reported the failure.',
    }),
  }),
});

interface MtaStsReadiness {
  state: Readiness['state'];
  reasons: string[];
}

const ReadinessType = builder.objectRef<MtaStsReadiness>('MtaStsReadiness').implement({
  description: 'Whether an MTA-STS policy can be enforced without refusing mail.',
  subGraphs: ['graph'],
  fields: t => ({
    state: t.expose('state', { type: ReadinessStateEnum, description: 'The result.' }),
    reasons: t.exposeStringList('reasons', {
      complexity: { field: 1, multiplier: 4 },
      description: 'The reasons, as sentences. They contain names from reports.',
    }),
  }),
});

interface MtaStsReplay {
  mode: string;
  sessions: number;
  delivered: number;
  refused: number;
  unprotected: number;
  unexplained: number;
  withoutPolicy: number;
  days: number;
  failures: Failure[];
  policy: string | null;
  dnsRecord: string | null;
  readiness: MtaStsReadiness;
  limits: readonly string[];
}

const ReplayType = builder.objectRef<MtaStsReplay>('MtaStsReplay').implement({
  description: 'The effect that an MTA-STS policy in mode `enforce` would have had on reported sessions.',
  subGraphs: ['graph'],
  fields: t => ({
    mode: t.exposeString('mode', {
      description: 'The mode of the policy that senders saw last; empty if unknown.',
    }),
    sessions: t.expose('sessions', { type: 'Counter', description: 'Sessions under the policy.' }),
    delivered: t.expose('delivered', { type: 'Counter', description: 'Sessions that the policy lets pass.' }),
    refused: t.expose('refused', {
      type: 'Counter',
      description: 'Sessions in which senders would not deliver, including the `unexplained` ones.',
    }),
    unprotected: t.expose('unprotected', {
      type: 'Counter',
      description: 'Sessions of senders that could not fetch or read the policy; `delivered` includes them.',
    }),
    unexplained: t.expose('unexplained', {
      type: 'Counter',
      description: 'Sessions that failed for an unreported reason.',
    }),
    withoutPolicy: t.expose('withoutPolicy', {
      type: 'Counter',
      description: 'Sessions of senders that found no policy or used DANE, which are not counted.',
    }),
    days: t.expose('days', { type: 'Counter', description: 'The number of UTC days with reports.' }),
    failures: t.expose('failures', {
      type: [FailureType],
      complexity: { field: 0, multiplier: 100 },
      description:
        'The failures by reason and mail exchanger, those with the most sessions first; at most 100.',
    }),
    policy: t.exposeString('policy', {
      nullable: true,
      description: 'The policy file to publish; null if the reports contain no policy to start from.',
    }),
    dnsRecord: t.exposeString('dnsRecord', {
      nullable: true,
      description:
        'The record to publish at `_mta-sts` together with the file, which senders fetch when the id in ' +
        'the record changes.',
    }),
    readiness: t.expose('readiness', { type: ReadinessType, description: 'Whether it can be enforced.' }),
    limits: t.exposeStringList('limits', {
      complexity: { field: 1, multiplier: 4 },
      description: 'What the reports cannot show.',
    }),
  }),
});

interface StsArguments {
  domain: string;
  from: string;
  to?: string | null | undefined;
}

const NOTHING: TlsSessionsOfDomain = { sessions: [], failures: [], policyStrings: [], days: 0 };

async function runReplay(
  account: Account,
  { domain, from, to }: StsArguments,
  { database, now }: Context,
): Promise<MtaStsReplay> {
  const period = periodOfArguments({ type: 'tls_rpt', from, to: to ?? null }, now);
  const visible = clampToRetention(period, account, now);
  const query = visible && { account: account.id, domain: toSiteKey(domain), ...visible };
  return toReplay(query ? await tlsSessions(database, query) : NOTHING, now);
}

/** The maximum number of failures in a response. */
const MOST_FAILURES = 100;

function toReplay({ sessions, failures, policyStrings, days }: TlsSessionsOfDomain, now: Date): MtaStsReplay {
  const own = sessions.filter(({ policyType }) => policyType === 'sts');
  const all = sumSessions(own);
  const judged = failures.map(failure => ({ ...failure, effect: getTlsEffect(failure.resultType) }));
  const sumEffect = (effect: TlsEffect) =>
    judged.reduce((sum, one) => (one.effect === effect ? sum + one.sessions : sum), 0);
  const failed = own.reduce((sum, one) => sum + one.failed, 0);
  const explained = failures.reduce((sum, one) => sum + one.sessions, 0);
  const unexplained = Math.max(0, failed - explained);
  const refused = Math.min(all, sumEffect('refused') + unexplained);
  const policy = parseStsPolicy(policyStrings);
  return {
    mode: policy?.mode ?? '',
    sessions: all,
    delivered: all - refused,
    refused,
    unprotected: sumEffect('unprotected'),
    unexplained,
    withoutPolicy: sumSessions(sessions) - all,
    days,
    failures: judged.slice(0, MOST_FAILURES),
    policy: policy ? formatStsPolicy({ ...policy, mode: 'enforce' }) : null,
    dnsRecord: policy ? `v=STSv1; id=${toId(now)}` : null,
    readiness: assessSts({
      ...{ sessions: all, refused, unprotected: sumEffect('unprotected'), days },
      exchangers: listExchangers(judged),
    }),
    limits: LIMITS,
  };
}

const sumSessions = (sessions: TlsSessionsOfDomain['sessions']) =>
  sessions.reduce((sum, { successful, failed }) => sum + successful + failed, 0);

const listExchangers = (failures: readonly Failure[]) => [
  ...new Set(
    failures
      .filter(({ effect, exchanger }) => effect === 'refused' && exchanger !== '')
      .map(({ exchanger }) => exchanger.slice(0, 80)),
  ),
];

/** `20260520143000`: RFC 8461 allows up to 32 letters and digits. */
const toId = (now: Date) => now.toISOString().slice(0, 19).replace(/\D/g, '');

builder.objectField('Account', 'mtaStsReplay', t =>
  t.field({
    type: ReplayType,
    nullable: true,
    description:
      'The effect that the MTA-STS policy of a domain would have had in mode `enforce`, based on the ' +
      'TLS reports of senders from `from` up to, but not including, `to`. Follows RFC 8461.',
    complexity: 5 * OWN_STATEMENT,
    args: {
      domain: t.arg({ type: 'HostName', required: true, description: 'The domain of the policy.' }),
      from: t.arg({ type: 'Instant', required: true, description: 'The start of the period, inclusive.' }),
      to: t.arg({
        type: 'Instant',
        description: 'The end of the period, exclusive; now by default.',
      }),
    },
    resolve: (account, args, context) => runReplay(account, args, context),
  }),
);
