import { SECONDS_PER_DAY } from '@sightline/reports';
import { type FreshName, freshNames } from '../../sql/insights/certificates.ts';
import { RULES } from '../insight-rules.ts';
import type { Loaders } from '../loaders.ts';
import { type InsightCandidate, moment, plural, shortenText } from './candidate.ts';
import { type InsightScope, LEARNING_DAYS, toWindow } from './scope.ts';

/** The number of days before expiry in which a certificate is usually renewed. */
export const CERTIFICATE_DAYS = RULES.certificates.days;

/** Finds certificates that may not have been requested by the account. */
export async function certificateInsights(scope: InsightScope, load: Loaders): Promise<InsightCandidate[]> {
  const { account, database } = scope;
  const [fresh, filters] = await Promise.all([
    freshNames(database, toWindow(scope, CERTIFICATE_DAYS), CERTIFICATE_DAYS),
    load.filterConfiguration(account.id),
  ]);
  const sites = (filters?.global.sites ?? []) as string[];
  const isLearned = ({ first, began }: FreshName) => first >= began + LEARNING_DAYS * SECONDS_PER_DAY;
  const issuers = fresh.filter(name => name.of === 'issuer' && isLearned(name));
  const isCoveredBy = (host: FreshName) =>
    issuers.some(({ issuer, first }) => host.issuer === issuer && host.first === first);
  const hosts = fresh.filter(
    name =>
      name.of === 'host' &&
      !isCoveredBy(name) &&
      (sites.length > 0 ? !isCovered(name.name, sites) : isLearned(name)),
  );
  return [...issuers.map(issuerDraft), ...hosts.map(hostDraft)];
}

/** True if a host is a site or a subdomain of one. */
function isCovered(host: string, sites: readonly string[]): boolean {
  const plain = host.replace(/^\*\./, '').toLowerCase();
  return sites.some(site => {
    const own = site.replace(/^\*\.?/, '').toLowerCase();
    return own === '' || plain === own || plain.endsWith(`.${own}`);
  });
}

/** The maximum length of a name in a title that contains two. */
const LONGEST_OF_TWO = 36;

/** Formats a distinguished name as `Example Trust E7 (Example Trust Services)`. */
function getName(issuer: string): string {
  const part = (key: string) => new RegExp(`(?:^|[,/])\\s*${key}=([^,/]+)`, 'i').exec(issuer)?.[1]?.trim();
  const [common, organisation] = [part('CN'), part('O')];
  const name = common && organisation ? `${common} (${organisation})` : (common ?? organisation ?? issuer);
  return shortenText(name, LONGEST_OF_TWO) || 'an unknown issuer';
}

function issuerDraft({ name, issuer, hosts, hostCount, reports, first, last }: FreshName): InsightCandidate {
  const others = hostCount > 1 ? ` and ${plural(hostCount - 1, 'other host')}` : '';
  return {
    kind: 'newIssuer',
    severity: 'incident',
    title: `${getName(issuer)} issued a certificate${hosts[0] ? ` for ${shortenText(hosts[0], LONGEST_OF_TWO)}${others}` : ''}`,
    detail: `First ${moment(first)}; ${shortenText(name)} had issued none in the ${CERTIFICATE_DAYS} days before. If you did not order it, have it revoked.`,
    subject: issuer,
    key: name,
    first,
    last,
    count: reports,
    baseline: 0,
    reports: { type: 'certificate_transparency', filters: { issuer } },
    hosts,
    rank: first,
  };
}

function hostDraft({ name, issuer, reports, first, last }: FreshName): InsightCandidate {
  return {
    kind: 'unknownHostCertificate',
    severity: 'change',
    title: `A certificate was issued for ${shortenText(name)}, which is no host of the setup`,
    detail: `First ${moment(first)}, by ${getName(issuer)}. If it is yours, add it to the sites; if you did not order it, have it revoked.`,
    subject: name,
    first,
    last,
    count: reports,
    baseline: 0,
    reports: { type: 'certificate_transparency', filters: { hostnames: name } },
    hosts: [name],
    rank: first,
  };
}
