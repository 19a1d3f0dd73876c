import type { ComponentChildren } from 'preact';
import { type Address, changed, elsewhere } from '../../address.ts';
import { addressIn, count, issuerName, plural, share } from '../../format.ts';
import { isNew, NEW_DAYS } from '../../news.ts';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { forecastOf } from '../../parts/quota-bar.tsx';
import { NOISE } from '../../report-types.ts';
import {
  type Account,
  beginsToFail,
  DAYS,
  findingsOf,
  type Group,
  keyOf,
  newHostsOf,
  sendersOf,
} from './data.ts';

/** Something that was not so before this week, and that somebody should look at. */
export interface Sign {
  key: string;
  kind: 'Threat' | 'Certificate' | 'Quota' | 'Mail' | 'Deploy' | 'New host' | 'Finding' | 'Noise';
  title: ComponentChildren;
  about: ComponentChildren;
  to: Address;
}

/** A host that is blocked less often is told of among the new hosts alone. */
const LEAST = 5;
/** Of a kind at most, so that one kind does not hide the others. */
const MOST = 3;

/** What stands out, the most urgent first. */
export function signsOf(account: Account, address: Address): Sign[] {
  const hosts = hostSigns(account, address);
  const of = (kind: Sign['kind']) => hosts.filter(sign => sign.kind === kind).slice(0, MOST);
  return [
    ...of('Threat'),
    ...certificateSigns(account, address),
    ...quotaSigns(account, address),
    ...mailSigns(account, address),
    ...of('Deploy'),
    ...of('New host'),
    ...findingSigns(account, address),
    ...noiseSigns(account, address),
  ];
}

function hostSigns(account: Account, address: Address): Sign[] {
  const { newHosts, threats, watches } = account;
  // Where nothing is older, everything would be new.
  if (!newHosts?.otherGroups && newHosts?.groups.every(({ firstSeen }) => isNew(firstSeen))) return [];
  const signals = new Map(threats?.groups.map(group => [keyOf(group), group.count]));
  // A signal can be about the policy of a report, too: then it says nothing of most reports of a host.
  const isThreat = (group: Group) => (signals.get(keyOf(group)) ?? 0) > group.count / 2;
  return newHostsOf(account)
    .filter(({ count }) => count >= LEAST)
    .map(group => hostSign(group, isThreat(group), watches, address));
}

function hostSign(group: Group, isThreat: boolean, watches: Account['watches'], address: Address): Sign {
  const host = keyOf(group);
  const isOwn = /^same/.test(keyOf(group, 1));
  const kind = isThreat ? 'Threat' : isOwn ? 'Deploy' : 'New host';
  const watch = watches.find(({ findings }) =>
    findings.some(finding => 'uri' in finding && hostOf(finding.uri) === host),
  );
  const to = changed(elsewhere(address, ['csp']), { blockedHostnames: host });
  return {
    key: `host ${host} ${keyOf(group, 1)}`,
    kind,
    title: (
      <>
        <bdi>{host}</bdi> {HOST_TITLES[kind]}
      </>
    ),
    about: (
      <>
        {plural(group.count, 'CSP report')} on {plural(group.days, 'day')}, first{' '}
        <Moment at={group.firstSeen} />. {adviceOf(kind, to)}
        {watch && ` The ${watch.product} watch of ${watch.site} has found it, too.`}
      </>
    ),
    to,
  };
}

const HOST_TITLES = {
  Threat: 'is new on your pages, and threat intelligence knows it',
  Deploy: 'is your own, and is blocked since this week',
  'New host': 'was not blocked before this week',
};

/** @param to where the groups of the host are */
function adviceOf(kind: keyof typeof HOST_TITLES, to: Address): ComponentChildren {
  if (kind === 'Threat')
    return (
      <>
        Find out what loads it: <Link to={{ ...to, path: ['csp', 'reports'] }}>the reports</Link>.
      </>
    );
  if (kind === 'New host') return null;
  return (
    <>
      A deploy may have left it out of <Link to={elsewhere(to, ['policies'])}>the policies</Link>.
    </>
  );
}

function certificateSigns({ issuers, issuedFor }: Account, address: Address): Sign[] {
  const all = issuers?.groups ?? [];
  if (!issuers?.otherGroups && all.every(({ firstSeen }) => isNew(firstSeen))) return [];
  return all
    .filter(({ firstSeen }) => isNew(firstSeen))
    .slice(0, MOST)
    .map(group => {
      const issuer = keyOf(group);
      const hosts = (issuedFor?.groups ?? []).filter(pair => keyOf(pair) === issuer);
      return {
        key: `issuer ${issuer}`,
        kind: 'Certificate' as const,
        title: (
          <>
            <bdi>{issuerName(issuer)}</bdi> issued a certificate
            {hosts[0] && (
              <>
                {' '}
                for <bdi>{keyOf(hosts[0], 1)}</bdi>
                {hosts.length > 1 && ` and ${plural(hosts.length - 1, 'other host')}`}
              </>
            )}
          </>
        ),
        about: (
          <>
            First <Moment at={group.firstSeen} />. You had none of this issuer in the {DAYS - NEW_DAYS} days
            before. If you did not order it, have it revoked.
          </>
        ),
        to: changed(elsewhere(address, ['certificate_transparency']), { issuer }),
      };
    });
}

function quotaSigns({ quota: { used, limit } }: Account, address: Address): Sign[] {
  const forecast = forecastOf(used, Date.now());
  if (limit === 0 || forecast <= limit) return [];
  return [
    {
      key: 'quota',
      kind: 'Quota',
      title: 'The quota will not last until the end of the month',
      about: `At this pace it comes to ${count(forecast)} of ${count(limit)} reports. Filters and sampling save some.`,
      to: elsewhere(address, ['csp']),
    },
  ];
}

function mailSigns(account: Account, address: Address): Sign[] {
  return sendersOf(account)
    .filter(beginsToFail)
    .slice(0, MOST)
    .map(({ organisation, now, before }) => ({
      key: `sender ${organisation}`,
      kind: 'Mail',
      title: (
        <>
          Mail through <bdi>{organisation || 'an unknown network'}</bdi> begins to fail DMARC
        </>
      ),
      about:
        `${share(now.aligned, now.all)} of ${plural(now.all, 'mail')} were aligned in seven days, ` +
        `${share(before.aligned, before.all)} in the ${DAYS - NEW_DAYS} days before. Receivers may reject it.`,
      to: changed(elsewhere(address, ['dmarc']), { organisation: organisation || undefined }),
    }));
}

/** New findings whose host no other sign names. */
function findingSigns(account: Account, address: Address): Sign[] {
  const blocked = new Set(newHostsOf(account).map(group => keyOf(group)));
  const found = findingsOf(account).filter(
    finding => isNew(finding.firstSeen) && !('uri' in finding && blocked.has(hostOf(finding.uri))),
  );
  if (found.length === 0) return [];
  const [newest] = found as [(typeof found)[number]];
  return [
    {
      key: 'findings',
      kind: 'Finding',
      title: `The watches found ${plural(found.length, 'thing')} that ${found.length === 1 ? 'was' : 'were'} not there before`,
      about: (
        <>
          The newest is <bdi>{'uri' in newest ? newest.uri : 'a policy'}</bdi> on <bdi>{newest.site}</bdi>,{' '}
          <Moment at={newest.firstSeen} />.
        </>
      ),
      to: elsewhere(address, ['watches']),
    },
  ];
}

function noiseSigns({ sources }: Account, address: Address): Sign[] {
  const noise = (sources?.groups ?? [])
    .filter(group => (NOISE as readonly string[]).includes(keyOf(group)))
    .reduce((sum, group) => sum + group.count, 0);
  if (!sources || noise === 0) return [];
  return [
    {
      key: 'noise',
      kind: 'Noise',
      title: `${share(noise, sources.totalCount)} of the CSP reports are noise`,
      about: `Extensions and browsers of visitors caused ${count(noise)} of ${plural(sources.totalCount, 'report')} in ${DAYS} days. The link hides them.`,
      to: changed(elsewhere(address, ['csp']), { noise: 'hidden' }),
    },
  ];
}

const hostOf = (uri: string) => addressIn(uri)?.hostname ?? '';
