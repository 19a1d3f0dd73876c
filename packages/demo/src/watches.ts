import { PRODUCTS, type Product } from '@sightline/feed';
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import type { DemoAccount } from './accounts.ts';
import { type Calendar, timeBetween, timestamp } from './calendar.ts';
import type { DemoLine } from './line.ts';
import { DEMO_PERSONAL } from './options.ts';
import type { Random } from './random.ts';
import { ATTACK, storyTimes } from './stories.ts';
import type { Resource, ThirdParties } from './third-parties.ts';

const DIRECTIVES: Record<Exclude<Product, 'policy'>, RegExp> = {
  script: /^script-src/,
  data: /^(connect|img)-src$/,
  frame: /^frame-src$/,
};
/** The number of findings of each watched site. */
const FINDINGS = [60, 12, 0];

/** The account's watches for the products of its plan, with their findings. */
export function* watchLines(
  account: DemoAccount,
  calendar: Calendar,
  thirdParties: ThirdParties,
  random: Random,
): Generator<DemoLine> {
  const { id: accountId, domain, plan } = account;
  for (const product of PRODUCTS) {
    if (!plan?.features.blockedWatch.includes(`${product}Watch`)) continue;
    for (const [index, site] of [`www.${domain}`, `checkout.${domain}`, `blog.${domain}`].entries()) {
      const key = { accountId, product, site };
      yield { kind: 'watch', ...key, ...toSettings(account, index) };
      const limit = FINDINGS[index]!;
      if (product === 'policy') yield* policyFindings(account, limit, key, calendar, random);
      else yield* resourceFindings(thirdParties, product, limit, key, calendar, random);
    }
  }
}

function toSettings({ domain, plan }: DemoAccount, index: number) {
  const webhookEnabled = index === 0 && plan?.features.webhooks === true;
  return {
    emailAlertsEnabled: index !== 2,
    webhookEnabled,
    ...(webhookEnabled ? { webhookTarget: `https://hooks.${domain}/security` } : {}),
    alertThreshold: [1, 10, 100][index],
  };
}

function* resourceFindings(
  thirdParties: ThirdParties,
  product: Exclude<Product, 'policy'>,
  limit: number,
  key: { accountId: string },
  calendar: Calendar,
  random: Random,
): Generator<DemoLine> {
  if (product === 'script' && limit === FINDINGS[0]) yield* attackFinding(key, calendar);
  const watched = thirdParties.all.items.filter(({ directive }) => DIRECTIVES[product].test(directive));
  for (const [index, resource] of watched.slice(0, limit).entries()) {
    yield {
      kind: 'finding',
      ...key,
      uri: resource.uri,
      ...sightings(index, calendar, random),
      source: getSource(resource, random),
    };
  }
}

/** The attack on the demo's largest account, as found by its script watch. */
function* attackFinding(key: { accountId: string }, calendar: Calendar): Generator<DemoLine> {
  const { attackBegan } = storyTimes(calendar.today);
  if (key.accountId !== DEMO_PERSONAL || attackBegan < calendar.start) return;
  const seen = { firstSeen: timestamp(attackBegan), lastSeen: timestamp(calendar.today - MS_PER_HOUR) };
  yield { kind: 'finding', ...key, uri: ATTACK.uri, count: 41, ...seen, source: 'csp' };
}

function* policyFindings(
  account: DemoAccount,
  limit: number,
  key: object,
  calendar: Calendar,
  random: Random,
): Generator<DemoLine> {
  for (const [index, policy] of account.policies.items.slice(0, limit).entries()) {
    const enforced = policy.action === 'enforced';
    yield { kind: 'finding', ...key, policy: policy.text, enforced, ...sightings(index, calendar, random) };
  }
}

/** Most findings appear when a watch begins. Later, new ones are rare. */
const FOUND_LATE = 0.05;
const SETTLED = 14 * MS_PER_DAY;

/** Earlier findings are seen more often. All sightings are before today, so that none is in the future. */
function sightings(index: number, calendar: Calendar, random: Random) {
  const until = Math.max(calendar.today, calendar.start + 1000);
  const settled = Math.max(calendar.today - SETTLED, calendar.start + 1000);
  const firstSeen = timeBetween(calendar.start, random.chance(FOUND_LATE) ? until : settled, random);
  const lastSeen = timeBetween(firstSeen, until, random);
  return {
    count: 1 + Math.floor((random.next() * 5000) / (index + 1)),
    firstSeen: timestamp(firstSeen),
    lastSeen: timestamp(lastSeen),
  };
}

function getSource(resource: Resource, random: Random): string {
  if (resource.destination !== 'script') return 'csp';
  return random.pick(['csp', 'csp', 'csp_integrity', 'integrity_policy']);
}
