import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import { type Calendar, timestamp } from './calendar.ts';
import { distinguishedName, type Issuer, issueCertificate, toPublicKey } from './certificates.ts';
import type { Random } from './random.ts';

const ISSUERS: readonly Issuer[] = [
  { country: 'US', organisation: 'Example Trust Services', commonName: 'Example Trust E7' },
  { country: 'GB', organisation: 'Harbour Certification Ltd', commonName: 'Harbour TLS R3' },
  { country: 'DE', organisation: 'Beispiel Zertifikate GmbH', commonName: 'Beispiel DV CA 4' },
];
const RENEWAL = 60 * MS_PER_DAY;
const VALIDITY = 90 * MS_PER_DAY;

export interface IssuedCertificate {
  pem: string;
  issued: number;
  /** The fields of its report, except the logs. */
  record: {
    hostnames: readonly string[];
    commonName: string;
    certType: 'certificate' | 'precertificate';
    issuer: string;
    serialNumber: string;
    sha256: string;
    sha256Spki: string;
    sha256Tbs: string;
    notBefore: string;
    notAfter: string;
  };
}

/** The certificates for one set of host names through all renewals, oldest first. */
export interface CertificateSeries {
  renewals: readonly (readonly IssuedCertificate[])[];
}

/** Issues all certificates for `hostnames` in the window, and those that were valid at its start. */
export function issueSeries(
  hostnames: readonly string[],
  calendar: Calendar,
  random: Random,
): CertificateSeries {
  const issuer = random.pick(ISSUERS);
  const publicKeyInfo = toKey(hostnames);
  const first = calendar.start - random.integer(1, RENEWAL / MS_PER_HOUR) * MS_PER_HOUR;
  const renewals: IssuedCertificate[][] = [];
  for (let notBefore = first; notBefore < calendar.end; notBefore += RENEWAL)
    renewals.push(issueBoth({ hostnames, issuer, notBefore, publicKeyInfo }, random));
  return { renewals };
}

/** Issues a certificate that nobody in the account requested, from an unusual issuer and for a host worth imitating. */
export function issueUnordered(domain: string, notBefore: number, random: Random): CertificateSeries {
  const hostnames = [`login.${domain}`];
  const issuer = { country: 'PA', organisation: 'Fast Certs', commonName: 'Fast Certs DV 1' };
  const publicKeyInfo = toPublicKey(`sightline demo unordered ${domain}`);
  return { renewals: [issueBoth({ hostnames, issuer, notBefore, publicKeyInfo }, random)] };
}

type Request = Omit<Parameters<typeof issueCertificate>[0], 'precertificate' | 'notAfter'>;

/** Issues a precertificate and its certificate. */
function issueBoth(request: Omit<Request, 'serialNumber'>, random: Random): IssuedCertificate[] {
  const whole = { ...request, serialNumber: `0${random.integer(1, 7)}${random.hex(30)}` };
  return [issue(whole, 'precertificate'), issue(whole, 'certificate')];
}

/** Issues a certificate that is the same on every day, since the documentation requests it by its hash. */
export function issueStanding(domain: string): IssuedCertificate {
  const hostnames = [domain, `*.${domain}`];
  const request = {
    hostnames,
    issuer: ISSUERS[1]!,
    serialNumber: '035a19a60a5fa807e6ef169f378059b6',
    notBefore: Date.parse('2026-07-17T04:00:00Z'),
    publicKeyInfo: toKey(hostnames),
  };
  return issue(request, 'precertificate');
}

/** Returns the newest certificates issued by the given time. */
export function newestAt(series: CertificateSeries, time: number): readonly IssuedCertificate[] {
  return series.renewals.findLast(([certificate]) => certificate!.issued <= time) ?? series.renewals[0]!;
}

function toKey(hostnames: readonly string[]) {
  return toPublicKey(`sightline demo ${hostnames.join(' ')}`);
}

function issue(request: Request, certType: 'certificate' | 'precertificate'): IssuedCertificate {
  const notAfter = request.notBefore + VALIDITY - 1000;
  const precertificate = certType === 'precertificate';
  const { pem, ...hashes } = issueCertificate({ ...request, notAfter, precertificate });
  return {
    pem,
    issued: request.notBefore,
    record: {
      hostnames: request.hostnames,
      commonName: request.hostnames[0]!,
      certType,
      issuer: distinguishedName(request.issuer),
      serialNumber: request.serialNumber,
      ...hashes,
      notBefore: timestamp(request.notBefore),
      notAfter: timestamp(notAfter),
    },
  };
}
