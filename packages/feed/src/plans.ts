export const TIERS = ['free', 'starter', 'business', 'enterprise'] as const;
/** The maximum retention of reports, in days. */
export const LONGEST_RETENTION = 3660;
export const PLAN_STATUSES = ['active', 'canceled', 'past_due', 'inactive'] as const;

/** The features of a plan, in the documented order. A feature is a switch or a list of products. */
export const PLAN_FEATURES = {
  support: { kind: 'switch', description: 'Support.' },
  teams: { kind: 'switch', description: 'Teams.' },
  blockedWatch: { kind: 'list', description: 'The Watch products, such as `scriptWatch`.' },
  webhooks: { kind: 'switch', description: 'Webhooks.' },
  clientReputationFilter: { kind: 'switch', description: 'The client reputation filter.' },
  threatIntelligence: { kind: 'switch', description: 'Threat Intelligence.' },
  integrityFeatures: { kind: 'list', description: 'The integrity products, such as `cspIntegrity`.' },
  pciDss: { kind: 'switch', description: 'PCI DSS reports.' },
  wildcardDomains: { kind: 'switch', description: 'Wildcard domains.' },
} as const;

type FeatureName = keyof typeof PLAN_FEATURES;
type FeatureKind = (typeof PLAN_FEATURES)[FeatureName]['kind'];

/** The names of all features of a kind. */
export type FeatureOf<Kind extends FeatureKind> = {
  [Name in FeatureName]: (typeof PLAN_FEATURES)[Name]['kind'] extends Kind ? Name : never;
}[FeatureName];

/** A value for each feature; its type depends on the kind of the feature. */
export type ByFeature<Of extends Record<FeatureKind, unknown>> = {
  [Name in FeatureName]: Of[(typeof PLAN_FEATURES)[Name]['kind']];
};

export type PlanFeatures = ByFeature<{ switch: boolean; list: string[] }>;

/** Creates a value for each feature from the value for its kind. */
export function byFeature<Of extends Record<FeatureKind, unknown>>(of: Of): ByFeature<Of> {
  const values = Object.entries(PLAN_FEATURES).map(([name, { kind }]) => [name, of[kind]]);
  return Object.fromEntries(values) as ByFeature<Of>;
}

export interface Plan {
  plan: string;
  name: string;
  tier: (typeof TIERS)[number];
  status: (typeof PLAN_STATUSES)[number];
  reportQuota: number;
  collectHosts: number;
  dataRetentionDays: number;
  features: PlanFeatures;
}

/** The products of a watch. */
export const PRODUCTS = ['script', 'data', 'frame', 'policy'] as const;
export type Product = (typeof PRODUCTS)[number];

/** The report types that a watch's findings can name as their source. */
export const FINDING_SOURCES = ['csp', 'csp_integrity', 'integrity_policy'] as const;
export type FindingSource = (typeof FINDING_SOURCES)[number];
