import { REPORT_TYPES, REST_REPORT_TYPES } from '@sightline/reports';
import {
  auditEvent,
  CERTIFICATE,
  certificate,
  finding,
  observation,
  personal,
  plan,
  policyFinding,
  report,
  savedPolicy,
  setup,
  THREAT_INTELLIGENCE,
  team,
  verdict,
  watch,
} from '../support/fixtures.ts';
import { readAll, reportFields } from '../support/selections.ts';
import type { Line } from '../support/service.ts';

/** An account whose data differs from that of all others. */
export interface Tenant {
  id: string;
  kind: 'personal' | 'team';
  /** A word and a number that occur only in its data and must not be visible to other accounts. */
  marks: readonly string[];
  /** Identifiers that other accounts can guess or learn. */
  policyId: string;
  site: string;
  reportId: string;
  /** The hash of a certificate in its reports. */
  sha256: string | undefined;
}

export function tenant(id: string, kind: 'personal' | 'team', number: number): Tenant {
  return {
    id,
    kind,
    marks: [`mark-of-${number}-`, String(7_000_000 + number)],
    policyId: `policy-${number}`,
    site: `www-${number}.example.com`,
    reportId: `report-${number}`,
    // There is only one certificate.
    sha256: number === 1 ? CERTIFICATE.sha256 : undefined,
  };
}

const PERIOD = 'unit=days&date=2026-05-20';

/** Returns everything that an account can contain. */
export function getEstate({ id, kind, marks, policyId, site, reportId, sha256 }: Tenant): Line[] {
  const [word, number] = [marks[0]!, Number(marks[1])];
  const account =
    kind === 'team'
      ? team(id, {
          teamName: word,
          quotaLimit: number,
          members: [{ email: `${word}@example.com`, role: 'owner' }],
        })
      : personal(id, { email: `${word}@example.com` });
  return [
    account,
    plan(id, { name: word, plan: word, reportQuota: number }, THREAT_INTELLIGENCE),
    setup(id, { dmarc: `${word}@dmarc.example` }),
    { kind: 'filters', accountId: id, global: { sites: [`${word}.example`] } },
    { kind: 'wizard', accountId: id, active: true, policy: word },
    savedPolicy(id, policyId, word, word),
    ...(sha256 ? [certificate(), observation(id)] : []),
    ...REPORT_TYPES.map(type => report(id, type, `${reportId}-${type}`, { raw: word })),
    report(id, 'csp', reportId, { raw: word, policyId, uri: `https://${site}/${word}`, policy: word }),
    ...['script', 'data', 'frame'].flatMap(product => [
      watch(id, product, site, { webhookTarget: `https://${word}.example/` }),
      finding(id, product, site, `https://${word}.example.net/a.js`, { count: number }),
    ]),
    watch(id, 'policy', site, { webhookTarget: `https://${word}.example/` }),
    policyFinding(id, site, word, { count: number }),
    verdict(id, 'issuer', word, { reason: word, decidedBy: `${word}@example.com` }),
    ...[1, 2].map(n => auditEvent(id, `${reportId}-event-${n}`, { message: word })),
  ];
}

/** A request: a target, with a GraphQL document for `/graphql`. */
export interface Probe {
  target: string;
  document?: string;
}

interface Ids {
  account: string;
  policyId: string;
  site: string;
  reportId: string;
  sha256: string;
  cursor: string;
}

/** Nonexistent identifiers of the same length, so that errors point to the same positions. */
const NOBODY: Omit<Ids, 'cursor'> = {
  account: 'nemo',
  policyId: 'policy-0',
  site: 'www-0.example.com',
  reportId: 'report-0',
  sha256: '0'.repeat(64),
};

/**
 * Requests with an id of the other account, each paired with the same request for a nonexistent id.
 * @param cursor of the other account's audit trail
 */
export function probes(other: Tenant, cursor: string): [foreign: Probe, unknown: Probe][] {
  const foreign = attempts({ ...other, account: other.id, sha256: other.sha256 ?? NOBODY.sha256, cursor });
  // The service has never issued this modified cursor.
  const unknown = attempts({ ...NOBODY, cursor: cursor.replace(/^./, first => (first === 'W' ? 'X' : 'W')) });
  return foreign.map((probe, index) => [probe, unknown[index]!]);
}

function attempts(ids: Ids): Probe[] {
  const exported = [`/reports/csp?id=${ids.reportId}`, `/reports/csp?hostnames=${ids.site}&after=`];
  return [
    ...targets(ids).map(target => ({ target: `/v1${target}` })),
    ...exported.map(target => ({ target: `/export${target}` })),
    ...documents(ids).map(probe),
  ];
}

function probe(document: string): Probe {
  return { target: '/graphql', document };
}

function targets({ policyId, site, reportId, sha256, cursor }: Ids): string[] {
  return [
    `/policies/csp/${policyId}`,
    `/certificate-transparency/cert/${sha256}`,
    `/certificate-transparency/cert/${sha256.toUpperCase()}`,
    ...['script', 'data', 'frame', 'policy'].flatMap(product => [
      `/watches/${product}/${site}`,
      `/watches/${product}/${site.toUpperCase()}.`,
    ]),
    ...REST_REPORT_TYPES.flatMap(type => [
      `/reports/${type}?${PERIOD}&id=${reportId}-${type}`,
      `/reports/${type}?${PERIOD}&hostnames=${site}`,
    ]),
    `/reports/csp?${PERIOD}&policyId=${policyId}`,
    `/reports/csp?${PERIOD}&hostnames=${site},*${site}*`,
    `/reports/csp?unit=months&date=2026-05&paths=*&blockedHostnames=*.example.net&hostnames=${site}`,
    `/audit-log?cursor=${cursor}`,
    `/audit-log?limit=5&cursor=${cursor}`,
  ];
}

const ACCOUNT = readAll('Account');

function documents({ account, policyId, site, reportId, sha256, cursor }: Ids): string[] {
  const period = 'unit: days, date: "2026-05-20"';
  const after = Buffer.from(account).toString('base64url');
  const globalId = (type: string, id: string) =>
    Buffer.from([type, account, id].join('\0')).toString('base64url');
  return [
    `{ account(id: "${account}") ${ACCOUNT} }`,
    `{ viewer: account(id: "${account}") { id email teamName } }`,
    `{ viewer { id } other: account(id: "${account}") { id quota { limit } } again: account(id: "${account}") { plan { name } } }`,
    `query { ...q } fragment q on Query { account(id: "${account}") { ...a } } fragment a on Account { email policies { name } }`,
    `{ accounts(after: "${after}") { nodes ${ACCOUNT} } }`,
    ...[account, globalId('NelReport', `${reportId}-nel`), globalId('CspPolicy', policyId)].map(
      id => `{ node(id: "${id}") { __typename id ... on Report { raw } ... on CspPolicy { policy } } }`,
    ),
    `{ viewer { certificate(sha256: "${sha256}") { pem } } }`,
    `{ viewer { auditLog(cursor: "${cursor}") { events { message } } } }`,
    `{ viewer { cspReports(${period}, policyId: "${policyId}") { reports { raw } } } }`,
    `{ viewer { a: cspReports(${period}, hostnames: ["${site}"]) { reports { raw } } b: nelReports(${period}, id: "${reportId}-nel") { reports { raw } } } }`,
  ];
}

/** Requests that must return all of the caller's data and none from other accounts. */
export function ownProbes(targets: readonly string[]): Probe[] {
  const documents = [
    `{ viewer ${ACCOUNT} }`,
    ...reportFields().map(
      ({ field, selection }) => `{ viewer { ${field}(unit: days, date: "2026-05-20") ${selection} } }`,
    ),
  ];
  return [...targets.map(target => ({ target })), ...documents.map(probe)];
}
