import { createHash } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import type { DemoAccount } from './accounts.ts';
import { BROWSER } from './browsers.ts';
import { timeBetween } from './calendar.ts';
import type { DemoNetwork } from './networks.ts';
import type { Random } from './random.ts';
import type { PlannedReport } from './report-lines.ts';
import type { PlannedValues } from './reports/scene.ts';
import type { Threat } from './third-parties.ts';

/**
 * Incidents that `npm start` adds to the demo, so that its overview shows most kinds of insights: six in the personal
 * account, which the page opens first, and two in the team's. All end before today, so none is in the future.
 */
export function planIncidents(
  [personal, team]: readonly DemoAccount[],
  today: number,
  random: Random,
): PlannedReport[] {
  return [
    ...(personal ? PERSONAL.flatMap(incident => incident(personal, today, random)) : []),
    ...(team ? TEAM.flatMap(incident => incident(team, today, random)) : []),
  ];
}

type Incident = (account: DemoAccount, today: number, random: Random) => PlannedReport[];

/** Plans reports at random times of a period. */
function during(
  account: DemoAccount,
  type: PlannedReport['type'],
  [from, to]: readonly [from: number, to: number],
  count: number,
  random: Random,
  toValues: (index: number) => PlannedValues,
): PlannedReport[] {
  return Array.from({ length: count }, (_, index) => ({
    account,
    type,
    time: timeBetween(from, to, random),
    values: toValues(index),
  }));
}

/** The period of a day from an hour on. */
const dayAt = (today: number, daysAgo: number, hour = 0, hours = 24 - hour) =>
  [
    today - daysAgo * MS_PER_DAY + hour * MS_PER_HOUR,
    today - daysAgo * MS_PER_DAY + (hour + hours) * MS_PER_HOUR,
  ] as const;

interface Content {
  uri: string;
  directive: string;
  destination?: string;
  /** The content of a script, which determines its hash. */
  content?: string;
  threat?: Threat;
}

const toResource = ({ uri, directive, destination = '', content = uri, threat = {} }: Content) => ({
  ...{ uri, directive, destination, threat, generatedDomain: 0 as const },
  hash: `sha256-${createHash('sha256').update(content).digest('base64')}`,
});

const SKIMMER = toResource({
  uri: 'https://collect.pay-metrics.test/c',
  directive: 'connect-src',
  threat: { recentlyRegisteredDomain: 1 },
});
const SKIMMER_DAYS = 17;

/** A skimmer on a payment page, which grows by an eighth each day. */
const growingSkimmer: Incident = (account, today, random) =>
  Array.from({ length: SKIMMER_DAYS }, (_, day) =>
    during(account, 'csp', dayAt(today, SKIMMER_DAYS - day), Math.round(2 * 1.125 ** day), random, () => ({
      page: `https://checkout.${account.domain}/checkout/payment`,
      resource: SKIMMER,
    })),
  ).flat();

/** A script on the payment page has other content than in the weeks before. */
const changedScript: Incident = (account, today, random) => {
  const load = (daysAgo: number, count: number, content: string) =>
    during(account, 'csp_integrity', dayAt(today, daysAgo, 9, 12), count, random, () => ({
      page: `https://checkout.${account.domain}/checkout/payment`,
      resource: toResource({
        ...{ uri: 'https://js.paywidget.example/v2/widget.js', directive: 'script-src-elem' },
        ...{ destination: 'script', content },
      }),
    }));
  return [...[30, 24, 18, 12, 6].flatMap(days => load(days, 3, 'version 1')), ...load(1, 14, 'version 2')];
};

/** Images from a host whose domain looks like the account's. */
const lookAlike: Incident = (account, today, random) => {
  const uri = `https://img.${account.domain.replace(/[^.]+$/, 'net')}/logo.png`;
  return during(account, 'csp', dayAt(today, 1, 7, 15), 12, random, index => ({
    page: `https://www.${account.domain}/${index % 2 === 0 ? '' : 'account/login'}`,
    resource: toResource({ uri, directive: 'img-src' }),
  }));
};

const TICKETS: DemoNetwork = {
  organisation: 'Ticketdesk Cloud',
  asn: 64503,
  country: 'IE',
  prefix: '2001:db8:30::',
};

/** The key of a sender's DKIM signature is missing, while SPF keeps its mail aligned. */
const missingKey: Incident = (account, today, random) =>
  Array.from({ length: 30 }, (_, day) => day + 2).flatMap(daysAgo => {
    const isBroken = daysAgo <= 4;
    const dkim = isBroken ? ('permerror' as const) : ('pass' as const);
    return during(account, 'dmarc', dayAt(today, daysAgo), isBroken ? 3 : 1, random, () => ({
      mail: { network: TICKETS, dkim, count: 15 },
    }));
  });

/** The resolver of a provider of internet access fails for less than an hour. */
const resolverOutage: Incident = (account, today, random) => {
  const evening = today - MS_PER_DAY + 18 * MS_PER_HOUR;
  return during(account, 'nel', [evening, evening + MS_PER_HOUR], 96, random, index => ({
    page: `https://${['www', 'shop', 'app'][index % 3]}.${account.domain}/`,
    outcome: { nelType: 'dns.name_not_resolved', phase: 'dns', statusCode: 0 },
    organisation: 'Kupfer Telekom',
  }));
};

/** An extension in one browser, which loads its content from many hosts of one domain. */
const extensionFlood: Incident = (account, today, random) => {
  const browser = BROWSER.pick(random);
  return during(account, 'csp', dayAt(today, 2, 8, 12), 180, random, index => ({
    browser,
    page: `https://shop.${account.domain}/cart`,
    resource: toResource({
      ...{ uri: `https://c${index % 90}.couponbar.example/offer.js`, directive: 'script-src-elem' },
    }),
  }));
};

const SILENT_SINCE = 2;

/** A site whose daily reports end, for example because a deployment left out the header. */
const silentSite: Incident = (account, today, random) =>
  Array.from({ length: 26 }, (_, day) => day + SILENT_SINCE + 1).flatMap(daysAgo =>
    during(account, 'csp', dayAt(today, daysAgo), 24, random, () => ({
      page: `https://booking.${account.domain}/`,
      resource: toResource({ uri: 'inline', directive: 'style-src-attr' }),
    })),
  );

/** A release of a browser reports a deprecation that did not exist before. */
const browserRelease: Incident = (account, today, random) =>
  during(account, 'deprecation', dayAt(today, 1, 6, 18), 24, random, () => ({
    feature: {
      featureId: 'MutationEvents',
      message: 'Mutation events are deprecated. Use MutationObserver instead.',
      anticipatedRemoval: null,
    },
  }));

const PERSONAL = [growingSkimmer, changedScript, lookAlike, missingKey, extensionFlood, silentSite];
const TEAM = [resolverOutage, browserRelease];
