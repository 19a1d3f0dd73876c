import { type FeatureOf, PLAN_FEATURES, PLAN_STATUSES, type Plan, TIERS } from '@sightline/feed';
import type { Account, Member, SetupRow, TeamRow } from '../sql/account.ts';
import { builder } from './builder.ts';

export const AccountType = builder.enumType('AccountType', {
  description: 'Whether an account is personal or belongs to a team.',
  values: ['personal', 'team'] as const,
});

interface PersonalProfile {
  type: 'personal';
  email: string;
}

interface TeamProfile {
  type: 'team';
  teamId: string;
  teamName: string;
}

/** Returns the profile of the account's owner. */
export function toProfile({ type, id, email, teamName }: Account): PersonalProfile | TeamProfile {
  return type === 'team' ? { type, teamId: id, teamName: teamName ?? '' } : { type, email: email ?? '' };
}

const PersonalAccount = builder.objectRef<PersonalProfile>('PersonalAccount').implement({
  description: 'An account of one person.',
  fields: t => ({
    type: t.expose('type', {
      type: AccountType,
      description: 'Always `personal`.',
      extensions: { openapi: { type: 'string', const: 'personal' } },
    }),
    email: t.exposeString('email', { description: "The person's e-mail address." }),
  }),
});

const TeamAccount = builder.objectRef<TeamProfile>('TeamAccount').implement({
  description: 'An account of a team.',
  fields: t => ({
    type: t.expose('type', {
      type: AccountType,
      description: 'Always `team`.',
      extensions: { openapi: { type: 'string', const: 'team' } },
    }),
    teamId: t.exposeString('teamId', { description: "The team's identifier, which is the account's too." }),
    teamName: t.exposeString('teamName', { description: "The team's name." }),
  }),
});

export const Profile = builder.unionType('Profile', {
  description: 'Whose account it is.',
  types: [PersonalAccount, TeamAccount],
  resolveType: profile => (profile.type === 'team' ? TeamAccount : PersonalAccount),
});

const ReportUri = builder.objectRef<SetupRow['reportUri']>('ReportUriSetup').implement({
  description: "Collector addresses for CSP's `report-uri`.",
  fields: t => ({
    enforce: t.exposeString('enforce', { description: 'Address for reports of enforced policies.' }),
    reportOnly: t.exposeString('reportOnly', { description: 'Address for reports of report-only policies.' }),
    wizard: t.exposeString('wizard', { description: 'Address for reports of the CSP Wizard.' }),
  }),
});

const ReportingEndpoint = builder.objectRef<{ url: string }>('ReportingApiEndpoint').implement({
  description: 'An endpoint of the Reporting API.',
  fields: t => ({ url: t.exposeString('url', { description: 'Address of the collector.' }) }),
});

const ReportingApi = builder.objectRef<SetupRow['reportingApi']>('ReportingApiSetup').implement({
  description: 'Values for the header of the Reporting API.',
  fields: t => ({
    group: t.exposeString('group', { description: 'Name of the group.' }),
    max_age: t.expose('max_age', { type: 'Counter', description: 'Lifetime in seconds.' }),
    endpoints: t.expose('endpoints', { type: [ReportingEndpoint], description: 'The endpoints.' }),
    include_subdomains: t.exposeBoolean('include_subdomains', {
      description: 'Whether subdomains are included.',
    }),
  }),
});

const NelSetup = builder.objectRef<SetupRow['nel']>('NelSetup').implement({
  description: 'Values for the NEL header.',
  fields: t => ({
    report_to: t.exposeString('report_to', { description: "Name of the Reporting API's group." }),
    max_age: t.expose('max_age', { type: 'Counter', description: 'Lifetime in seconds.' }),
    include_subdomains: t.exposeBoolean('include_subdomains', {
      description: 'Whether subdomains are included.',
    }),
  }),
});

export const Setup = builder.objectRef<SetupRow>('Setup').implement({
  description: 'Where a site sends its reports.',
  fields: t => ({
    reportUri: t.expose('reportUri', { type: ReportUri, description: "Addresses for CSP's `report-uri`." }),
    reportingApi: t.expose('reportingApi', {
      type: ReportingApi,
      description: 'Values for the Reporting API.',
    }),
    nel: t.expose('nel', { type: NelSetup, description: 'Values for the NEL header.' }),
    dmarc: t.exposeString('dmarc', { description: 'E-mail address for DMARC reports.' }),
    tlsRpt: t.exposeString('tlsRpt', { description: 'E-mail address for TLS-RPT reports.' }),
  }),
});

const PlanStatus = builder.enumType('PlanStatus', {
  description: 'State of a plan. A plan grants its features while it is `active` or `past_due`.',
  values: PLAN_STATUSES,
});

const PlanTier = builder.enumType('PlanTier', {
  description: 'Level of a plan.',
  subGraphs: ['graph'],
  values: TIERS,
});

const Features = builder.objectRef<Plan['features']>('PlanFeatures').implement({
  description: 'The features of a plan.',
  fields: t =>
    Object.fromEntries(
      Object.entries(PLAN_FEATURES).map(([name, { kind, description }]) => [
        name,
        kind === 'list'
          ? t.exposeStringList(name as FeatureOf<'list'>, { description })
          : t.exposeBoolean(name as FeatureOf<'switch'>, { description }),
      ]),
    ),
});

export const PlanType = builder.objectRef<Plan>('Plan').implement({
  description: "An account's plan.",
  fields: t => ({
    plan: t.exposeString('plan', { description: 'Identifier of the plan.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    status: t.expose('status', { type: PlanStatus, description: 'State of the plan.' }),
    tier: t.expose('tier', { type: PlanTier, description: 'Level of the plan.', subGraphs: ['graph'] }),
    reportQuota: t.expose('reportQuota', { type: 'Counter', description: 'Number of reports per month.' }),
    collectHosts: t.expose('collectHosts', {
      type: 'Counter',
      description: 'Number of hosts from which reports are collected.',
    }),
    dataRetentionDays: t.expose('dataRetentionDays', {
      type: 'Counter',
      description: 'Number of days for which reports can be read.',
    }),
    features: t.expose('features', { type: Features, description: 'The features of the plan.' }),
  }),
});

const TeamMember = builder.objectRef<Member>('TeamMember').implement({
  description: 'A member of a team.',
  fields: t => ({
    email: t.exposeString('email', { description: "The member's e-mail address." }),
    role: t.exposeString('role', { description: "The member's role, such as `owner` or `member`." }),
  }),
});

export const Team = builder.objectRef<TeamRow>('Team').implement({
  description: 'A team and its members.',
  fields: t => ({
    teamName: t.exposeString('teamName', { description: "The team's name." }),
    quotaLimit: t.expose('quotaLimit', { type: 'Counter', description: "The team's report quota." }),
    require2fa: t.exposeBoolean('require2fa', { description: 'Whether members must use a second factor.' }),
    members: t.field({
      type: [TeamMember],
      description: 'The members: the owner first, then sorted by e-mail address.',
      resolve: ({ members }) => members.toSorted(ownerFirst),
    }),
  }),
});

function ownerFirst(a: Member, b: Member): number {
  const rank = ({ role }: Member) => (role === 'owner' ? 0 : 1);
  return rank(a) - rank(b) || (a.email < b.email ? -1 : Number(a.email > b.email));
}
