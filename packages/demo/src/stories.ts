import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import { DEMO_PERSONAL } from './options.ts';
import type { Random } from './random.ts';
import type { Resource } from './third-parties.ts';

/**
 * Stories in the data of the demo's largest account, for visitors of the page to find: an attack, a deployment that
 * broke a policy, a sender whose mail starts to fail, and a certificate that nobody requested.
 */

type BlockedResource = Pick<Resource, 'uri' | 'directive' | 'threat' | 'generatedDomain'>;

/** The attacker's script, from a host that did not occur before. */
export const ATTACK: BlockedResource = {
  uri: 'https://cdn.checkout-helper.test/c.js',
  directive: 'script-src-elem',
  threat: { recentlyRegisteredDomain: 1, lowReputationDomain: 1, domainReputationScore: 4 },
  generatedDomain: 0,
};
const ATTACK_DAYS = 2;

const DEPLOY_DAY = 5;

const CERTIFICATE_DAYS = 5;

/** The sender whose mail fails, and the number of days. */
const BROKEN_SENDER = 'Newsletter Works Ltd';
const BROKEN_DAYS = 6;

/** The account, day and random numbers of a story. */
interface Setting {
  account: { id: string; domain: string };
  /** Full days before today; 0 for today. */
  daysAgo: number;
  /** True if it is the feed's last report. */
  isLast: boolean;
  random: Random;
}

const hasStories = ({ account }: Pick<Setting, 'account'>) => account.id === DEMO_PERSONAL;

/** Returns the blocked resource if a CSP report belongs to a story. */
export function storiedResource(setting: Setting): BlockedResource | undefined {
  if (!hasStories(setting)) return undefined;
  const { account, daysAgo, random } = setting;
  if (daysAgo <= ATTACK_DAYS && random.chance(0.3)) return ATTACK;
  if (daysAgo === DEPLOY_DAY && random.chance(0.6))
    return forgottenImage(account.domain, random.integer(1, 9));
  return undefined;
}

/** A deployment moved the images to a host that the policy does not allow. */
function forgottenImage(domain: string, number: number): BlockedResource {
  const uri = `https://images.${domain}/hero-${number}.webp`;
  return { uri, directive: 'img-src', threat: {}, generatedDomain: 0 };
}

/**
 * Returns the type of report that a story needs. Mail and certificates are so rare that a week could pass without any.
 */
export function storiedType({
  account,
  daysAgo,
  isLast,
  random,
}: Setting): 'certificate_transparency' | 'dmarc' | undefined {
  if (!hasStories({ account })) return undefined;
  if (isLast) return 'certificate_transparency';
  if (daysAgo < CERTIFICATE_DAYS && random.chance(0.015)) return 'certificate_transparency';
  if (daysAgo <= BROKEN_DAYS && random.chance(0.03)) return 'dmarc';
  return undefined;
}

export function isBrokenSender(setting: Setting, organisation: string): boolean {
  return hasStories(setting) && setting.daysAgo <= BROKEN_DAYS && organisation === BROKEN_SENDER;
}

/** Returns when the attack began and when the certificate was issued. */
export function storyTimes(today: number) {
  return {
    attackBegan: today - ATTACK_DAYS * MS_PER_DAY + 9 * MS_PER_HOUR,
    certificateIssued: today - CERTIFICATE_DAYS * MS_PER_DAY + 4 * MS_PER_HOUR,
  };
}
