import { byFeature, type Plan, type PlanFeatures, PRODUCTS } from '@sightline/feed';

export type { Plan };
export type Tier = Plan['tier'];
export type PlanStatus = Plan['status'];

const NO_FEATURES: PlanFeatures = byFeature({ switch: false, list: [] });

const BUSINESS_FEATURES: PlanFeatures = {
  ...byFeature({ switch: true, list: [] }),
  blockedWatch: PRODUCTS.map(product => `${product}Watch`),
  threatIntelligence: false,
  integrityFeatures: ['cspIntegrity', 'integrityPolicy'],
  pciDss: false,
};

const PLANS: Record<Tier, Omit<Plan, 'tier' | 'status'>> = {
  free: {
    plan: 'free',
    name: 'Free',
    reportQuota: 10_000,
    collectHosts: 1,
    dataRetentionDays: 30,
    features: NO_FEATURES,
  },
  starter: {
    plan: 'starter-100k',
    name: 'Starter',
    reportQuota: 100_000,
    collectHosts: 5,
    dataRetentionDays: 90,
    features: { ...NO_FEATURES, support: true, blockedWatch: ['scriptWatch'] },
  },
  business: {
    plan: 'business-1m',
    name: 'Business',
    reportQuota: 1_000_000,
    collectHosts: 50,
    dataRetentionDays: 180,
    features: BUSINESS_FEATURES,
  },
  enterprise: {
    plan: 'enterprise-10m',
    name: 'Enterprise',
    reportQuota: 10_000_000,
    collectHosts: 500,
    dataRetentionDays: 400,
    features: { ...BUSINESS_FEATURES, threatIntelligence: true, pciDss: true },
  },
};

export function getPlan(tier: Tier, status: PlanStatus): Plan {
  const { plan, name, ...rest } = PLANS[tier];
  return { plan, name, tier, status, ...rest };
}
