export type Tier = 'free' | 'starter' | 'business' | 'enterprise';
export type PlanStatus = 'active' | 'past_due' | 'canceled' | 'inactive';

/** A plan, as a `plan` line of a feed has it. */
export interface Plan {
  plan: string;
  name: string;
  tier: Tier;
  status: PlanStatus;
  reportQuota: number;
  collectHosts: number;
  dataRetentionDays: number;
  features: PlanFeatures;
}

interface PlanFeatures {
  support: boolean;
  teams: boolean;
  blockedWatch: string[];
  webhooks: boolean;
  clientReputationFilter: boolean;
  threatIntelligence: boolean;
  integrityFeatures: string[];
  pciDss: boolean;
  wildcardDomains: boolean;
}

const NO_FEATURES: PlanFeatures = {
  support: false,
  teams: false,
  blockedWatch: [],
  webhooks: false,
  clientReputationFilter: false,
  threatIntelligence: false,
  integrityFeatures: [],
  pciDss: false,
  wildcardDomains: false,
};

const BUSINESS_FEATURES: PlanFeatures = {
  support: true,
  teams: true,
  blockedWatch: ['scriptWatch', 'dataWatch', 'frameWatch', 'policyWatch'],
  webhooks: true,
  clientReputationFilter: true,
  threatIntelligence: false,
  integrityFeatures: ['cspIntegrity', 'integrityPolicy'],
  pciDss: false,
  wildcardDomains: true,
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

export function planOf(tier: Tier, status: PlanStatus): Plan {
  const { plan, name, ...rest } = PLANS[tier];
  return { plan, name, tier, status, ...rest };
}
