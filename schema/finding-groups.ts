import { MS_PER_DAY } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { type FindingHost, listFindingHosts } from '../sql/insights/findings.ts';
import { type HostReach, measureReach } from '../sql/insights/hosts.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { retentionStart } from './entitlements.ts';
import { LARGEST_FIRST, requireFirst, USUAL_FIRST } from './first-argument.ts';
import { ATTACK_DIRECTIVES, RULES } from './insight-rules.ts';
import { toInstant } from './insights/candidate.ts';
import { groupBy } from './insights/group-by.ts';
import { getRegistrableDomain } from './insights/look-alike.ts';
import { SENSITIVE_PATTERN } from './insights/sensitive.ts';
import { WatchProduct } from './watches.ts';

/** Findings of a watch on the hosts of one domain. */
interface FindingGroup {
  product: FindingHost['product'];
  site: string;
  name: string;
  isDomain: boolean;
  source: FindingHost['source'];
  findings: number;
  count: number;
  firstSeen: string;
  lastSeen: string;
  /** Measured from the reports of some of its hosts; null if those do not contain it. */
  browsers: number | null;
  pages: number | null;
  days: number | null;
  isSensitive: boolean;
}

interface FindingGroups {
  groups: FindingGroup[];
  totalCount: number;
  otherGroups: number;
}

/** The maximum number of hosts whose reach is measured. */
const MEASURED = 200;
/** The number of browsers and pages from which on further ones do not count, since they are easy to forge. */
const COUNTED = { browsers: 4, pages: 5 };

const ATTACK = {
  path: SENSITIVE_PATTERN,
  directive: `^(${Object.keys(ATTACK_DIRECTIVES).join('|')})`,
};

const FindingGroupType = builder.objectRef<FindingGroup>('FindingGroup').implement({
  description: 'Findings of a watch on hosts of one registrable domain; for a policy watch, one policy.',
  subGraphs: ['graph'],
  fields: t => ({
    product: t.expose('product', { type: WatchProduct, description: 'The Watch product.' }),
    site: t.exposeString('site', { description: 'The enrolled domain.' }),
    name: t.exposeString('name', {
      description:
        'The registrable domain, or the host if only one was found; for a policy watch, the policy.',
    }),
    isDomain: t.exposeBoolean('isDomain', { description: 'Whether several hosts of the domain were found.' }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'The type of the reports that the findings come from; null for a policy.',
    }),
    findings: t.expose('findings', { type: 'Counter', description: 'The number of findings.' }),
    count: t.expose('count', { type: 'Counter', description: 'How often they were reported.' }),
    firstSeen: t.expose('firstSeen', {
      type: 'DateTime',
      description: 'When the earliest finding was first reported.',
    }),
    lastSeen: t.expose('lastSeen', {
      type: 'DateTime',
      description: 'When the latest finding was last reported.',
    }),
    browsers: t.expose('browsers', {
      type: 'Counter',
      nullable: true,
      description: 'The number of browsers in a sample of its CSP reports; null if there are none.',
    }),
    pages: t.expose('pages', {
      type: 'Counter',
      nullable: true,
      description: 'The number of pages in a sample of its CSP reports; null if there are none.',
    }),
    days: t.expose('days', {
      type: 'Counter',
      nullable: true,
      description: 'The number of days in a sample of its CSP reports; null if there are none.',
    }),
    isSensitive: t.exposeBoolean('isSensitive', {
      description: 'Whether several browsers reported it on a page for payment, login or accounts.',
    }),
  }),
});

const FindingGroupsType = builder.objectRef<FindingGroups>('FindingGroups').implement({
  description: 'Findings of watches in a period, grouped by domain.',
  subGraphs: ['graph'],
  fields: t => ({
    groups: t.expose('groups', {
      type: [FindingGroupType],
      complexity: { field: 0, multiplier: 100 },
      description:
        'The groups: those on pages for payment, login and accounts first, then by browsers, pages and ' +
        'days, which are hard to forge, then by count.',
    }),
    totalCount: t.expose('totalCount', { type: 'Counter', description: 'The number of findings.' }),
    otherGroups: t.expose('otherGroups', { type: 'Counter', description: 'The number of omitted groups.' }),
  }),
});

function toGroup(hosts: readonly FindingHost[], reaches: ReadonlyMap<string, HostReach>): FindingGroup {
  const [{ product, site, host, subject, source }] = hosts as readonly [FindingHost];
  const measured = hosts.flatMap(one => reaches.get(one.host) ?? []);
  const most = (measure: (reach: HostReach) => number) =>
    measured.length > 0 ? Math.max(...measured.map(measure)) : null;
  const sum = (measure: (one: FindingHost) => number) => hosts.reduce((all, one) => all + measure(one), 0);
  const isDomain = hosts.length > 1;
  return {
    product,
    site,
    name: host === '' ? subject : isDomain ? (getRegistrableDomain(host) ?? host) : host,
    isDomain,
    source,
    findings: sum(({ findings }) => findings),
    count: sum(({ count }) => count),
    firstSeen: toInstant(Math.min(...hosts.map(({ first }) => first))),
    lastSeen: toInstant(Math.max(...hosts.map(({ last }) => last))),
    browsers: most(({ browsers }) => browsers),
    pages: most(({ pages }) => pages),
    days: most(({ days }) => days),
    isSensitive: measured.some(({ attackBrowsers }) => attackBrowsers >= RULES.newBlockedHost.browsers),
  };
}

const measureStrength = ({ browsers, pages, days }: FindingGroup) =>
  Math.min(browsers ?? 1, COUNTED.browsers) * Math.min(pages ?? 1, COUNTED.pages) * (days ?? 1);

const byStrength = (one: FindingGroup, other: FindingGroup) =>
  Number(other.isSensitive) - Number(one.isSensitive) ||
  measureStrength(other) - measureStrength(one) ||
  other.count - one.count;

interface Arguments {
  since?: string | null | undefined;
  until?: string | null | undefined;
  first?: number | null | undefined;
}

async function loadFindingGroups(
  account: Account,
  { since, until, first }: Arguments,
  { database, now }: Context,
): Promise<FindingGroups> {
  const size = requireFirst(first ?? USUAL_FIRST);
  const period = {
    since: since ? new Date(since).toISOString() : new Date(0).toISOString(),
    until: until ? new Date(until).toISOString() : new Date(now.getTime() + MS_PER_DAY).toISOString(),
  };
  const { hosts, all } = await listFindingHosts(database, account.id, period);
  const names = [...new Set(hosts.flatMap(({ host }) => host || []))].slice(0, MEASURED);
  const oldest = retentionStart(account, now).toISOString();
  const reported = { account: account.id, from: oldest, since: oldest, until: period.until };
  const reaches = await measureReach(database, reported, names, ATTACK);
  const toKey = ({ product, site, host, subject }: FindingHost) =>
    JSON.stringify([product, site, host === '' ? subject : (getRegistrableDomain(host) ?? host)]);
  const groups = [...groupBy(hosts, toKey).values()].map(own => toGroup(own, reaches)).sort(byStrength);
  return { groups: groups.slice(0, size), totalCount: all, otherGroups: Math.max(0, groups.length - size) };
}

builder.objectField('Account', 'findingGroups', t =>
  t.field({
    type: FindingGroupsType,
    description: 'Findings of the watches, grouped by registrable domain, the most important first.',
    complexity: { field: 2 * OWN_STATEMENT, multiplier: 1 },
    args: {
      since: t.arg({ type: 'Instant', description: 'Only findings first seen at or after this time.' }),
      until: t.arg({ type: 'Instant', description: 'Only findings first seen before this time.' }),
      first: t.arg.int({
        description: `The number of groups, at most ${LARGEST_FIRST}; ${USUAL_FIRST} by default.`,
      }),
    },
    resolve: loadFindingGroups,
  }),
);
