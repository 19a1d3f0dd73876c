import { byFeature, type FeatureOf, LONGEST_RETENTION, type Plan, type PlanFeatures } from '@sightline/feed';
import { MS_PER_DAY } from '@sightline/reports';
import { type Account, DEFAULT_RETENTION } from '../sql/account.ts';

export const NO_FEATURES: PlanFeatures = byFeature({ switch: false, list: [] });

/** The plan of an account that has none. */
const FREE_PLAN: Plan = {
  plan: 'free',
  name: 'Free',
  tier: 'free',
  status: 'active',
  reportQuota: 10_000,
  collectHosts: 0,
  dataRetentionDays: DEFAULT_RETENTION,
  features: NO_FEATURES,
};

const TRIAL_DAYS = 30;

export function getPlan(account: Account): Plan {
  return account.plan ?? FREE_PLAN;
}

/** Returns the start of the retention: 0:00 UTC on the day that many days before today. */
export function retentionStart(account: Account, now: Date): Date {
  const days = Math.min(getPlan(account).dataRetentionDays, LONGEST_RETENTION);
  return new Date((Math.floor(now.getTime() / MS_PER_DAY) - days) * MS_PER_DAY);
}

/** True if the plan is active, or only its payment is late. */
function counts({ status }: Plan): boolean {
  return status === 'active' || status === 'past_due';
}

export function isPaid(account: Account): boolean {
  const plan = getPlan(account);
  return counts(plan) && plan.tier !== 'free';
}

/** True if the account can use the API, by its plan or in its first 30 days. */
export function hasApiAccess(account: Account, now: Date): boolean {
  const plan = getPlan(account);
  const isBusiness = counts(plan) && (plan.tier === 'business' || plan.tier === 'enterprise');
  return isBusiness || now.getTime() < toInstant(account.createdAt) + TRIAL_DAYS * MS_PER_DAY;
}

/** Parses PostgreSQL's `2026-11-20 11:25:00.5+00` to milliseconds since the epoch. */
export function toInstant(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

export function hasFeature(account: Account, feature: FeatureOf<'switch'>): boolean {
  const plan = getPlan(account);
  return counts(plan) && plan.features[feature];
}
