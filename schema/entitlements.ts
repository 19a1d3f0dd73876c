import {
  byFeature,
  type FeatureOf,
  LONGEST_RETENTION,
  type Plan,
  type PlanFeatures,
} from '@sightline/feed/plans';
import { type Account, DEFAULT_RETENTION } from '../sql/account.ts';

export const NO_FEATURES: PlanFeatures = byFeature({ switch: false, list: [] });

/** The plan of an account that has none on record. */
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
export const DAY = 86_400_000;

export function planOf(account: Account): Plan {
  return account.plan ?? FREE_PLAN;
}

/** The first instant whose reports an account sees: the start of the UTC day so many days before today. */
export function retentionStart(account: Account, now: Date): Date {
  const days = Math.min(planOf(account).dataRetentionDays, LONGEST_RETENTION);
  return new Date((Math.floor(now.getTime() / DAY) - days) * DAY);
}

/** Tells whether the plan grants anything: it is in force, or its payment is only late. */
function counts({ status }: Plan): boolean {
  return status === 'active' || status === 'past_due';
}

export function isPaid(account: Account): boolean {
  const plan = planOf(account);
  return counts(plan) && plan.tier !== 'free';
}

/** Tells whether the API is open to the account: by its plan, or during the first 30 days. */
export function hasApiAccess(account: Account, now: Date): boolean {
  const plan = planOf(account);
  const isBusiness = counts(plan) && (plan.tier === 'business' || plan.tier === 'enterprise');
  return isBusiness || now.getTime() < instantOf(account.createdAt) + TRIAL_DAYS * DAY;
}

/** Milliseconds since the epoch, of PostgreSQL's `2026-11-20 11:25:00.5+00`. */
function instantOf(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

export function hasFeature(account: Account, feature: FeatureOf<'switch'>): boolean {
  const plan = planOf(account);
  return counts(plan) && plan.features[feature];
}
