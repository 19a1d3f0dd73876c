import { DEMO_PERSONAL, demoFeed } from '@sightline/demo';
import { Random } from '@sightline/demo/random';
import { report } from './fixtures.ts';
import type { Line } from './service.ts';

/** Incidents of many kinds, planted at random times among ordinary data. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const stamp = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** The demo's largest account and its reports, under another name, without its stories: the days before `today`. */
export function ordinary(
  account: string,
  today: string,
  seed: number,
  { days = 45, reports = 3000, findings = false } = {},
): Line[] {
  const storyDays = 8;
  const last = stamp(Date.parse(today) + storyDays * 24 * HOUR).slice(0, 10);
  const options = {
    hoursOfToday: 6,
    accounts: 1,
    auditEvents: 0,
    largest: 1,
    seed,
    today: last,
    days: days + storyDays,
    reports,
  };
  return [...demoFeed(options)]
    .join('')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line.replaceAll(DEMO_PERSONAL, account)) as Line)
    .filter(line => line.kind !== 'report' || (line.date as string) < `${today}T00:00:00Z`)
    .filter(({ kind }) => (kind !== 'finding' || findings) && kind !== 'auditEvent' && kind !== 'usage');
}

export interface Planted {
  /** The kinds of sign that name it, and what their subject has to contain. */
  kinds: readonly string[];
  subject: string;
  at: number;
  lines: Line[];
}

type Plant = (account: string, at: number, random: Random, name: string) => Omit<Planted, 'at'>;

const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge'];
const PLATFORMS = ['Windows', 'macOS', 'Android', 'iOS'];

/** So many reports within so many minutes. */
function burst(
  account: string,
  type: string,
  at: number,
  random: Random,
  { count, minutes }: { count: number; minutes: number },
  fieldsOf: (index: number) => Record<string, unknown>,
): Line[] {
  return Array.from({ length: count }, (_, index) =>
    report(account, type, `${type}-${at}-${index}-${random.hex(8)}`, {
      date: stamp(at + Math.floor(random.next() * minutes * MINUTE)),
      ...fieldsOf(index),
    }),
  );
}

const visitor = (random: Random) => ({ browser: random.pick(BROWSERS), platform: random.pick(PLATFORMS) });
const PAGES = ['/', '/checkout', '/checkout/payment', '/cart', '/blog', '/search'];
const pageOf = (random: Random) => `https://www.example.com${random.pick(PAGES)}`;

export const PLANTS: Readonly<Record<string, Plant>> = {
  skimmer(account, at, random, name) {
    const host = `cdn.skim-${name}.test`;
    const lines = burst(account, 'csp', at, random, { count: random.integer(8, 40), minutes: 50 }, () => ({
      ...visitor(random),
      uri: 'https://www.example.com/checkout/payment',
      directive: 'script-src-elem',
      blockedUri: `https://${host}/c.js`,
      recentlyRegisteredDomain: 1,
    }));
    return { kinds: ['newBlockedHost'], subject: host, lines };
  },
  deploy(account, at, random, name) {
    const host = `static-${name}.example.com`;
    const lines = burst(account, 'csp', at, random, { count: random.integer(12, 90), minutes: 55 }, () => ({
      ...visitor(random),
      uri: pageOf(random),
      directive: 'img-src',
      blockedUri: `https://${host}/hero.webp`,
    }));
    return { kinds: ['ownHostBlocked'], subject: host, lines };
  },
  directive(account, at, random, name) {
    const directive = `form-action-${name}`;
    const lines = burst(
      account,
      'csp',
      at,
      random,
      { count: random.integer(40, 90), minutes: 55 },
      index => ({
        ...visitor(random),
        uri: `${pageOf(random)}/${index}`,
        directive,
        blockedUri: 'inline',
      }),
    );
    return { kinds: ['jump'], subject: directive, lines };
  },
  page(account, at, random, name) {
    const path = `/landing/${name}`;
    const lines = burst(account, 'csp', at, random, { count: random.integer(40, 90), minutes: 55 }, () => ({
      ...visitor(random),
      uri: `https://shop.example.com${path}`,
      directive: random.pick(['script-src-elem', 'style-src-attr', 'font-src', 'img-src']),
      blockedUri: 'inline',
    }));
    return { kinds: ['jump'], subject: path, lines };
  },
  outage(account, at, random, name) {
    const host = `api-${name}.example.com`;
    const lines = burst(account, 'nel', at, random, { count: random.integer(25, 120), minutes: 20 }, () => ({
      ...visitor(random),
      uri: `https://${host}/v1/items`,
      nelType: 'tcp.timed_out',
      phase: 'connection',
    }));
    return { kinds: ['networkError'], subject: `${host} tcp.timed_out`, lines };
  },
  sender(account, at, random) {
    const organisation = random.pick(['Example Mail Services', 'Postbote GmbH', 'Newsletter Works Ltd']);
    const lines = burst(account, 'dmarc', at, random, { count: 6, minutes: 55 }, () => ({
      count: random.integer(60, 200),
      organisation,
      aligned: false,
      domain: 'example.com',
      headerFrom: 'example.com',
      sourceIp: '192.0.2.7',
    }));
    return { kinds: ['senderFails'], subject: organisation, lines };
  },
  spoofing(account, at, random, name) {
    const organisation = `Bulk ${name} LLC`;
    const lines = burst(account, 'dmarc', at, random, { count: 8, minutes: 55 }, () => ({
      count: random.integer(20, 90),
      organisation,
      aligned: false,
      domain: 'example.com',
      headerFrom: 'example.com',
      sourceIp: '203.0.113.9',
    }));
    return { kinds: ['newSender'], subject: organisation, lines };
  },
  mailOverTls(account, at, random, name) {
    const domain = `mail-${name}.example.com`;
    const lines = burst(account, 'tls_rpt', at, random, { count: 2, minutes: 55 }, () => ({
      domain,
      successfulSessions: random.integer(500, 1500),
      failedSessions: random.integer(40, 90),
      failureDetails: [
        { resultType: 'certificate-expired', failedSessions: 40, receivingMxHostname: `mx.${domain}` },
      ],
    }));
    return { kinds: ['tlsFailures'], subject: domain, lines };
  },
  issuer(account, at, random, name) {
    const issuer = `C=XX, O=Quick Certs ${name}, CN=Quick ${name}`;
    const lines = burst(account, 'certificate_transparency', at, random, { count: 1, minutes: 30 }, () => ({
      issuer,
      hostnames: ['login.example.com'],
      commonName: 'login.example.com',
    }));
    return { kinds: ['newIssuer'], subject: issuer, lines };
  },
  foreignCertificate(account, at, random, name) {
    const host = `example.com.login-${name}.test`;
    const lines = burst(account, 'certificate_transparency', at, random, { count: 1, minutes: 30 }, () => ({
      issuer: 'C=US, O=Example Trust Services, CN=Example Trust E7',
      hostnames: [host],
      commonName: host,
    }));
    return { kinds: ['unknownHostCertificate', 'newIssuer'], subject: host, lines };
  },
};

/** Every incident once, each at a random time in the week before `today`. */
export function planted(account: string, today: string, seed: number): Planted[] {
  const random = new Random(seed, 'planted');
  const end = Date.parse(today);
  // Two of one sender would be one: each has its own time of the week.
  return Object.values(PLANTS).map((plant, index) => {
    const at = end - random.integer(1, 6 * 24 * 60) * MINUTE - HOUR;
    return { at, ...plant(account, at, random, `${seed}${'abcdefghij'[index]}`) };
  });
}
