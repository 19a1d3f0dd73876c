import { type FreshName, freshNames } from '../../sql/signs/certificates.ts';
import type { Loaders } from '../loaders.ts';
import { type Draft, moment, plural, told } from './draft.ts';
import { LEARNING_DAYS, type Looked, stretchOf } from './looked.ts';

/** Days after which a certificate is forgotten: they are renewed within these. */
const CERTIFICATE_DAYS = 90;

const DAY = 24 * 3600;

/** Signs of certificates that nobody may have ordered. */
export async function certificateSigns(looked: Looked, load: Loaders): Promise<Draft[]> {
  const { account, database } = looked;
  const [fresh, filters] = await Promise.all([
    freshNames(database, stretchOf(looked, CERTIFICATE_DAYS), CERTIFICATE_DAYS),
    load.filterConfiguration(account.id),
  ]);
  const sites = (filters?.global.sites ?? []) as string[];
  const isLearned = ({ first, began }: FreshName) => first >= began + LEARNING_DAYS * DAY;
  const issuers = fresh.filter(name => name.of === 'issuer' && isLearned(name));
  const isToldBy = (host: FreshName) =>
    issuers.some(({ name, first }) => host.issuer === name && host.first === first);
  const hosts = fresh.filter(
    name =>
      name.of === 'host' &&
      !isToldBy(name) &&
      (sites.length > 0 ? !isCovered(name.name, sites) : isLearned(name)),
  );
  return [...issuers.map(issuerDraft), ...hosts.map(hostDraft)];
}

/** Tells whether a host is a site, or below one. */
function isCovered(host: string, sites: readonly string[]): boolean {
  const plain = host.replace(/^\*\./, '').toLowerCase();
  return sites.some(site => {
    const own = site.replace(/^\*\.?/, '').toLowerCase();
    return own === '' || plain === own || plain.endsWith(`.${own}`);
  });
}

/** `Example Trust E7 (Example Trust Services)`, of a distinguished name. */
function nameOf(issuer: string): string {
  const part = (key: string) => new RegExp(`(?:^|[,/])\\s*${key}=([^,/]+)`, 'i').exec(issuer)?.[1]?.trim();
  const [common, organisation] = [part('CN'), part('O')];
  return told(common && organisation ? `${common} (${organisation})` : (common ?? organisation ?? issuer));
}

function issuerDraft({ name, hosts, reports, first, last }: FreshName): Draft {
  const others = hosts.length > 1 ? ` and ${plural(hosts.length - 1, 'other host')}` : '';
  return {
    kind: 'newIssuer',
    severity: 'incident',
    title: `${nameOf(name)} issued a certificate${hosts[0] ? ` for ${told(hosts[0])}${others}` : ''}`,
    detail: `First ${moment(first)}; this issuer had issued none in the ${CERTIFICATE_DAYS} days before. If you did not order it, have it revoked.`,
    subject: name,
    first,
    last,
    count: reports,
    usual: 0,
    reports: { type: 'certificate_transparency', filters: { issuer: name } },
    hosts,
    rank: first,
  };
}

function hostDraft({ name, issuer, reports, first, last }: FreshName): Draft {
  return {
    kind: 'unknownHostCertificate',
    severity: 'change',
    title: `A certificate was issued for ${told(name)}, which is no host of the setup`,
    detail: `First ${moment(first)}, by ${nameOf(issuer)}. If it is yours, add it to the sites; if you did not order it, have it revoked.`,
    subject: name,
    first,
    last,
    count: reports,
    usual: 0,
    reports: { type: 'certificate_transparency', filters: { hostnames: name } },
    hosts: [name],
    rank: first,
  };
}
