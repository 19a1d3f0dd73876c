import { MS_PER_DAY, MS_PER_HOUR, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { type Calendar, timeBetween } from './calendar.ts';
import {
  type CertificateSeries,
  type IssuedCertificate,
  issueSeries,
  issueStanding,
  issueUnordered,
} from './certificate-series.ts';
import { DEMO_PERSONAL, DEMO_TEAM, type DemoOptions } from './options.ts';
import { getPlan, type Plan, type PlanStatus, type Tier } from './plans.ts';
import { type DemoPolicy, policiesFor } from './policies.ts';
import { Choice, heavyTail, Random } from './random.ts';
import { storyTimes } from './stories.ts';
import type { ThirdParties } from './third-parties.ts';

export interface DemoPerson {
  id: string;
  email: string;
  role: 'owner' | 'admin' | 'member';
}

export interface DemoAccount {
  id: string;
  type: 'personal' | 'team';
  createdAt: number;
  domain: string;
  /** The owner comes first. A personal account has only the owner. */
  people: readonly DemoPerson[];
  /** Undefined for an account without any configuration records. */
  plan: Plan | undefined;
  /** The origin of the addresses that reports are sent to. */
  collector: string;
  hosts: Choice<string>;
  policies: Choice<DemoPolicy>;
  certificates: readonly CertificateSeries[];
  /** Certificates for the account's hosts that it did not request. */
  unordered: CertificateSeries | undefined;
  /** A certificate that is the same on every day. */
  permanentCertificate: IssuedCertificate | undefined;
  reportTypes: Choice<ReportType>;
}

interface Profile {
  id: string;
  type: 'personal' | 'team';
  domain: string;
  plan?: [Tier, PlanStatus];
  /** Days before today. If omitted, the account is older than the window and any trial. */
  age?: number;
}

const CAST: readonly Profile[] = [
  { id: DEMO_PERSONAL, type: 'personal', domain: 'example.com', plan: ['enterprise', 'active'] },
  { id: DEMO_TEAM, type: 'team', domain: 'example.org', plan: ['business', 'active'] },
  { id: 'demo-starter', type: 'personal', domain: 'example.net', plan: ['starter', 'active'] },
  { id: 'demo-past-due', type: 'team', domain: 'riverbank.example', plan: ['business', 'past_due'] },
  { id: 'demo-canceled', type: 'team', domain: 'northgate.example', plan: ['enterprise', 'canceled'] },
  { id: 'demo-inactive', type: 'personal', domain: 'oldmill.test', plan: ['starter', 'inactive'] },
  { id: 'demo-bare', type: 'personal', domain: 'bare.example' },
  { id: 'demo-trial', type: 'personal', domain: 'firstday.example', plan: ['free', 'active'], age: 9 },
];

const TRIAL_DAYS = 30;
const TIERS = new Choice<Tier>(
  ['free', 'starter', 'business', 'enterprise'],
  (_, index) => [40, 30, 22, 8][index]!,
);
const STATUSES = new Choice<PlanStatus>(
  ['active', 'past_due', 'canceled', 'inactive'],
  (_, index) => [90, 4, 4, 2][index]!,
);
const DOMAIN_NAMES = ['alder', 'birch', 'cedar', 'damson', 'elm', 'fir', 'gorse', 'hazel', 'ivy', 'juniper'];
const HOST_NAMES = [
  ...['www', '', 'shop', 'app', 'blog', 'checkout', 'account', 'help', 'docs', 'm', 'events', 'careers'],
  ...['partners', 'status', 'beta', 'staging', 'eu.shop', 'us.shop', 'uk.shop', 'admin.eu'],
  ...Array.from({ length: 24 }, (_, index) => `tenant-${index + 1}.pages`),
];
const FIRST_NAMES = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'donald', 'radia', 'ken', 'margaret'];

/** Relative numbers of reports. */
const TYPE_WEIGHTS: readonly [ReportType, number][] = [
  ['csp', 60],
  ['nel', 12],
  ['permissions_policy', 4],
  ['deprecation', 4],
  ['dmarc', 4],
  ['coep', 1.5],
  ['coop', 1.5],
  ['intervention', 1.5],
  ['tls_rpt', 1],
  ['crash', 0.8],
  ['certificate_transparency', 0.8],
];
/** Sent only if the plan has the feature. */
const CSP_INTEGRITY: [ReportType, number] = ['csp_integrity', 6];
const INTEGRITY_POLICY: [ReportType, number] = ['integrity_policy', 3];
const LISTED = new Set([...TYPE_WEIGHTS, CSP_INTEGRITY, INTEGRITY_POLICY].map(([type]) => type));
/** The remaining types. */
const OTHERS = REPORT_TYPES.filter(type => !LISTED.has(type)).map((type): [ReportType, number] => [type, 1]);

/** Creates the accounts in order, starting with the eight that have fixed ids. */
export function createAccounts(
  options: DemoOptions,
  calendar: Calendar,
  thirdParties: ThirdParties,
): DemoAccount[] {
  return Array.from({ length: options.accounts }, (_, index) => {
    const random = new Random(options.seed, `account ${index}`);
    const profile = CAST[index] ?? otherProfile(index, random);
    return createAccount(profile, index, calendar, thirdParties, random);
  });
}

/** Chooses accounts by size: the first has the share `largest`, the others form a heavy tail. */
export function bySize(accounts: readonly DemoAccount[], largest: number): Choice<DemoAccount> {
  const tail = heavyTail(1);
  const rest = accounts.slice(1).reduce((sum, account, index) => sum + tail(account, index), 0);
  return new Choice(accounts, (account, index) =>
    index === 0 ? (rest === 0 ? 1 : largest) : ((1 - largest) * tail(account, index - 1)) / rest,
  );
}

function otherProfile(index: number, random: Random): Profile {
  const number = String(index + 1).padStart(4, '0');
  return {
    id: `demo-${number}`,
    type: random.chance(0.5) ? 'team' : 'personal',
    domain: `${DOMAIN_NAMES[index % DOMAIN_NAMES.length]}-${number}.${random.chance(0.2) ? 'test' : 'example'}`,
    plan: [TIERS.pick(random), STATUSES.pick(random)],
  };
}

function createAccount(
  profile: Profile,
  index: number,
  calendar: Calendar,
  thirdParties: ThirdParties,
  random: Random,
): DemoAccount {
  const { id, type, domain } = profile;
  const plan = profile.plan && getPlan(...profile.plan);
  const collector = `https://${id}.collect.example`;
  return {
    id,
    type,
    domain,
    createdAt: createdAt(profile.age, calendar, random),
    people: listPeople(profile, random),
    plan,
    collector,
    hosts: new Choice(
      HOST_NAMES.map(name => (name === '' ? domain : `${name}.${domain}`)),
      heavyTail(1.1),
    ),
    policies: new Choice(policiesFor(index, collector, thirdParties), policy => policy.weight),
    certificates: certificateNames(domain, index < CAST.length).map(hostnames =>
      issueSeries(hostnames, calendar, random),
    ),
    unordered:
      id === DEMO_PERSONAL
        ? issueUnordered(domain, storyTimes(calendar.today).certificateIssued, random)
        : undefined,
    permanentCertificate: id === DEMO_PERSONAL ? issueStanding(domain) : undefined,
    reportTypes: listReportTypes(plan),
  };
}

function createdAt(age: number | undefined, calendar: Calendar, random: Random): number {
  if (age !== undefined) return calendar.today - age * MS_PER_DAY + 9 * MS_PER_HOUR;
  const latest = Math.min(calendar.start, calendar.today - TRIAL_DAYS * MS_PER_DAY) - MS_PER_DAY;
  return timeBetween(latest - 900 * MS_PER_DAY, latest, random);
}

function listPeople({ id, type, domain }: Profile, random: Random): DemoPerson[] {
  const count = type === 'team' ? random.integer(3, FIRST_NAMES.length) : 1;
  const first = random.integer(0, FIRST_NAMES.length - 1);
  return Array.from({ length: count }, (_, index) => ({
    id: `${id}-user-${index + 1}`,
    email: `${FIRST_NAMES[(first + index) % FIRST_NAMES.length]}@${domain}`,
    role: index === 0 ? 'owner' : index === 1 ? 'admin' : 'member',
  }));
}

function certificateNames(domain: string, hasMany: boolean): string[][] {
  const few = [[domain, `*.${domain}`], [`www.${domain}`]];
  const more = [[`shop.${domain}`, `eu.shop.${domain}`, `us.shop.${domain}`], [`mail.${domain}`]];
  return hasMany ? [...few, ...more] : few;
}

function listReportTypes(plan: Plan | undefined): Choice<ReportType> {
  const integrity = plan?.features.integrityFeatures ?? [];
  const weights = [...TYPE_WEIGHTS, ...OTHERS];
  if (integrity.includes('cspIntegrity')) weights.push(CSP_INTEGRITY);
  if (integrity.includes('integrityPolicy')) weights.push(INTEGRITY_POLICY);
  return new Choice(
    weights.map(([type]) => type),
    (_type, index) => weights[index]![1],
  );
}
