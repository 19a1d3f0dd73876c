import { DEMO_PERSONAL, demoFeed } from '@sightline/demo';
import { MS_PER_HOUR } from '@sightline/reports';
import { Random } from '../../packages/demo/src/random.ts';
import { report } from './fixtures.ts';
import type { Line } from './service.ts';

/** Incidents of many kinds, planted at random times in ordinary data. */

const MINUTE = 60_000;

export const stamp = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** The demo's largest account and its reports before `today`, under another name and without its incidents. */
export function ordinary(
  account: string,
  today: string,
  seed: number,
  { days = 45, reports = 3000, findings = false } = {},
): Line[] {
  const storyDays = 8;
  const last = stamp(Date.parse(today) + storyDays * 24 * MS_PER_HOUR).slice(0, 10);
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

export interface PlantedIncident {
  /** The kinds of insight that report the incident, and the text that their subject must contain. */
  kinds: readonly string[];
  subject: string;
  at: number;
  lines: Line[];
}

type Plant = (account: string, at: number, random: Random, name: string) => Omit<PlantedIncident, 'at'>;

const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge'];
const PLATFORMS = ['Windows', 'macOS', 'Android', 'iOS'];

/** This many reports within this many minutes. */
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
const toPage = (random: Random) => `https://www.example.com${random.pick(PAGES)}`;

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
      uri: toPage(random),
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
        uri: `${toPage(random)}/${index}`,
        directive,
        blockedUri: 'inline',
      }),
    );
    return { kinds: ['spike'], subject: directive, lines };
  },
  page(account, at, random, name) {
    const path = `/landing/${name}`;
    const lines = burst(account, 'csp', at, random, { count: random.integer(40, 90), minutes: 55 }, () => ({
      ...visitor(random),
      uri: `https://shop.example.com${path}`,
      directive: random.pick(['script-src-elem', 'style-src-attr', 'font-src', 'img-src']),
      blockedUri: 'inline',
    }));
    return { kinds: ['spike'], subject: path, lines };
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
  checkoutHost(account, at, random, name) {
    const host = `widget-${name}.test`;
    const directive = random.pick(['script-src-elem', 'connect-src', 'form-action']);
    const lines = burst(account, 'csp', at, random, { count: random.integer(8, 20), minutes: 50 }, () => ({
      ...visitor(random),
      uri: `https://www.example.com/${random.pick(['checkout', 'login', 'account/orders'])}`,
      directive,
      blockedUri: `https://${host}/w.js`,
    }));
    return { kinds: ['newBlockedHost'], subject: host, lines };
  },
  lookAlike(account, at, random, name) {
    const host = `${random.pick(['examp1e.com', 'exarnple.com', 'exmaple.com', 'example.net'])}`;
    const lines = burst(account, 'csp', at, random, { count: random.integer(6, 12), minutes: 50 }, () => ({
      ...visitor(random),
      uri: toPage(random),
      directive: 'img-src',
      blockedUri: `https://x${name}.${host}/p.gif`,
    }));
    return { kinds: ['lookAlikeHost'], subject: `x${name}.${host}`, lines };
  },
  changedScript(account, at, random, name) {
    const script = `https://cdn.widgets-${name}.test/v1.js`;
    const fields = { subresourceUri: script, destination: 'script', uri: toPage(random) };
    const before = burst(
      account,
      'csp_integrity',
      at - 480 * MS_PER_HOUR,
      random,
      { count: 5, minutes: 50 },
      () => ({
        ...fields,
        ...visitor(random),
        hash: `sha256-old-${name}`,
      }),
    );
    const lines = burst(
      account,
      'csp_integrity',
      at,
      random,
      { count: random.integer(8, 16), minutes: 50 },
      () => ({
        ...fields,
        ...visitor(random),
        hash: `sha256-new-${name}`,
      }),
    );
    return { kinds: ['scriptChanged'], subject: script, lines: [...before, ...lines] };
  },
  slowGrowth(account, at, random, name) {
    const host = `beacon-${name}.test`;
    const days = random.integer(16, 20);
    const lines = Array.from({ length: days }, (_, day) =>
      burst(
        account,
        'csp',
        at - (days - day) * 24 * MS_PER_HOUR,
        random,
        { count: Math.round(4 * 1.1 ** day), minutes: 1440 },
        () => ({
          ...visitor(random),
          uri: toPage(random),
          directive: 'img-src',
          blockedUri: `https://${host}/b`,
        }),
      ),
    );
    return { kinds: ['newBlockedHost', 'growth'], subject: host, lines: lines.flat() };
  },
  missingKey(account, at, random, name) {
    const organisation = `Mailing ${name} Ltd`;
    const mail = (dkim: string, count: number) => ({
      count,
      organisation,
      aligned: true,
      domain: 'example.com',
      headerFrom: 'example.com',
      sourceIp: '198.51.100.7',
      dkim,
      spf: 'pass',
      dkimResults: [
        {
          domain: 'example.com',
          selector: name,
          result: dkim === 'pass' ? dkim : 'permerror',
          humanResult: '',
        },
      ],
    });
    const before = Array.from({ length: 30 }, (_, day) =>
      burst(account, 'dmarc', at - (day + 2) * 24 * MS_PER_HOUR, random, { count: 1, minutes: 600 }, () =>
        mail('pass', 40),
      ),
    );
    const lines = burst(account, 'dmarc', at, random, { count: 5, minutes: 50 }, () => mail('fail', 20));
    return { kinds: ['authenticationFails'], subject: organisation, lines: [...before.flat(), ...lines] };
  },
  resolver(account, at, random, name) {
    const organisation = `Provider ${name}`;
    const lines = ['a', 'b', 'c'].flatMap(host =>
      burst(account, 'nel', at, random, { count: random.integer(25, 60), minutes: 25 }, () => ({
        ...visitor(random),
        uri: `https://${host}-${name}.example.com/`,
        nelType: 'dns.name_not_resolved',
        phase: 'dns',
        organisation,
      })),
    );
    return { kinds: ['networkError'], subject: organisation, lines };
  },
  feature(account, at, random, name) {
    const message = `Feature ${name} is deprecated`;
    const lines = burst(
      account,
      'deprecation',
      at,
      random,
      { count: random.integer(8, 18), minutes: 50 },
      () => ({
        ...visitor(random),
        uri: toPage(random),
        featureId: `Feature${name}`,
        message,
      }),
    );
    return { kinds: ['newFeature'], subject: `Feature${name}`, lines };
  },
};

/** Every incident once, each at a random time in the week before `today`. */
export function listPlanted(account: string, today: string, seed: number): PlantedIncident[] {
  const random = new Random(seed, 'planted');
  const end = Date.parse(today);
  // Each has its own time, because two incidents of one sender would be merged.
  return Object.values(PLANTS).map((plant, index) => {
    const at = end - random.integer(1, 6 * 24 * 60) * MINUTE - MS_PER_HOUR;
    return { at, ...plant(account, at, random, `${seed}${'abcdefghijklmnopqrstuvwxyz'[index]}`) };
  });
}
