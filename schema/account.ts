import {
  type Account,
  anyAccount,
  anyAccounts,
  type Member,
  type Plan,
  type SetupRow,
  type TeamRow,
} from '../sql/account.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { planOf } from './entitlements.ts';
import { forbidden, invalid, notFound } from './errors.ts';
import { restRoute } from './rest-route.ts';

const AccountType = builder.enumType('AccountType', {
  description: 'Whether an account is of one person or of a team.',
  values: ['personal', 'team'] as const,
});

const PersonalAccount = builder.objectRef<Account>('PersonalAccount').implement({
  description: 'An account of one person.',
  fields: t => ({
    type: t.expose('type', {
      type: AccountType,
      description: 'Always `personal`.',
      extensions: { openapi: { type: 'string', const: 'personal' } },
    }),
    email: t.string({ description: "The person's e-mail address.", resolve: account => account.email ?? '' }),
  }),
});

const TeamAccount = builder.objectRef<Account>('TeamAccount').implement({
  description: 'An account of a team.',
  fields: t => ({
    type: t.expose('type', {
      type: AccountType,
      description: 'Always `team`.',
      extensions: { openapi: { type: 'string', const: 'team' } },
    }),
    teamId: t.exposeString('id', { description: "The team's identifier, which is the account's too." }),
    teamName: t.string({ description: "The team's name.", resolve: account => account.teamName ?? '' }),
  }),
});

const Profile = builder.unionType('Profile', {
  description: 'Whose account it is.',
  types: [PersonalAccount, TeamAccount],
  resolveType: account => ((account as Account).type === 'team' ? TeamAccount : PersonalAccount),
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

const Setup = builder.objectRef<SetupRow>('Setup').implement({
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
  description: 'State of a plan. It grants its features while `active` or `past_due`.',
  values: ['active', 'canceled', 'past_due', 'inactive'] as const,
});

const PlanTier = builder.enumType('PlanTier', {
  description: 'Level of a plan.',
  subGraphs: ['graph'],
  values: ['free', 'starter', 'business', 'enterprise'] as const,
});

const Features = builder.objectRef<Plan['features']>('PlanFeatures').implement({
  description: 'What a plan includes.',
  fields: t => ({
    support: t.exposeBoolean('support', { description: 'Support.' }),
    teams: t.exposeBoolean('teams', { description: 'Teams.' }),
    blockedWatch: t.exposeStringList('blockedWatch', {
      description: 'The Watch products, such as `scriptWatch`.',
    }),
    webhooks: t.exposeBoolean('webhooks', { description: 'Webhooks.' }),
    clientReputationFilter: t.exposeBoolean('clientReputationFilter', {
      description: 'The client reputation filter.',
    }),
    threatIntelligence: t.exposeBoolean('threatIntelligence', { description: 'Threat Intelligence.' }),
    integrityFeatures: t.exposeStringList('integrityFeatures', {
      description: 'The integrity products, such as `cspIntegrity`.',
    }),
    pciDss: t.exposeBoolean('pciDss', { description: 'PCI DSS reports.' }),
    wildcardDomains: t.exposeBoolean('wildcardDomains', { description: 'Wildcard domains.' }),
  }),
});

const PlanType = builder.objectRef<Plan>('Plan').implement({
  description: "An account's plan.",
  fields: t => ({
    plan: t.exposeString('plan', { description: 'Identifier of the plan.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    status: t.expose('status', { type: PlanStatus, description: 'State of the plan.' }),
    tier: t.expose('tier', { type: PlanTier, description: 'Level of the plan.', subGraphs: ['graph'] }),
    reportQuota: t.expose('reportQuota', { type: 'Counter', description: 'Reports a month.' }),
    collectHosts: t.expose('collectHosts', {
      type: 'Counter',
      description: 'Hosts that reports are collected from.',
    }),
    dataRetentionDays: t.expose('dataRetentionDays', {
      type: 'Counter',
      description: 'Days for which report records can be read.',
    }),
    features: t.expose('features', { type: Features, description: 'What the plan includes.' }),
  }),
});

const TeamMember = builder.objectRef<Member>('TeamMember').implement({
  description: 'A member of a team.',
  fields: t => ({
    email: t.exposeString('email', { description: "The member's e-mail address." }),
    role: t.exposeString('role', { description: "The member's role, such as `owner` or `member`." }),
  }),
});

const Team = builder.objectRef<TeamRow>('Team').implement({
  description: 'A team and its members.',
  fields: t => ({
    teamName: t.exposeString('teamName', { description: "The team's name." }),
    quotaLimit: t.expose('quotaLimit', { type: 'Counter', description: "The team's report quota." }),
    require2fa: t.exposeBoolean('require2fa', { description: 'Whether members need a second factor.' }),
    members: t.field({
      type: [TeamMember],
      description: 'The members, owner first, then by e-mail address.',
      resolve: ({ members }) => members.toSorted(ownerFirst),
    }),
  }),
});

function ownerFirst(a: Member, b: Member): number {
  const rank = ({ role }: Member) => (role === 'owner' ? 0 : 1);
  return rank(a) - rank(b) || (a.email < b.email ? -1 : Number(a.email > b.email));
}

async function setupOf(account: Account, { load }: Context): Promise<SetupRow> {
  const setup = await load.setup(account.id);
  if (!setup) throw notFound('Setup not found');
  return setup;
}

async function teamOf(account: Account, { load }: Context): Promise<TeamRow> {
  const team = account.type === 'team' ? await load.team(account.id) : undefined;
  if (!team) throw forbidden('A team API key is required');
  return team;
}

builder.queryFields(t => ({
  me: t.field({
    type: Profile,
    description: 'The account that the key belongs to.',
    ...restRoute({ path: '/me', tag: 'Account', summary: 'Who the key belongs to' }),
    resolve: (_root, _args, context) => ownAccount(context),
  }),
  setup: t.field({
    type: Setup,
    description: 'Where to send reports: addresses and header values.',
    ...restRoute({
      path: '/setup',
      tag: 'Account',
      summary: 'Where to send reports',
      errors: { 404: ['Setup not found'] },
    }),
    resolve: (_root, _args, context) => setupOf(ownAccount(context), context),
  }),
  plan: t.field({
    type: PlanType,
    description: "The account's plan and its features.",
    ...restRoute({ path: '/plan', tag: 'Account', summary: 'The plan and its features' }),
    resolve: (_root, _args, context) => planOf(ownAccount(context)),
  }),
  team: t.field({
    type: Team,
    description: 'The team and its members. Available only with a team key.',
    ...restRoute({
      path: '/team',
      tag: 'Account',
      summary: 'The team and its members',
      errors: { 403: ['A team API key is required'] },
    }),
    resolve: (_root, _args, context) => teamOf(ownAccount(context), context),
  }),
}));

builder.objectType('Account', {
  description: 'An account and all that belongs to it.',
  subGraphs: ['graph'],
  fields: t => ({
    id: t.exposeID('id', { description: 'Identifier of the account; of a team, its `teamId`.' }),
    type: t.expose('type', { type: AccountType, description: 'Whether it is of one person or of a team.' }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'E-mail address; only of a personal account.',
    }),
    teamName: t.exposeString('teamName', { nullable: true, description: 'Name; only of a team.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was created.' }),
    plan: t.field({ type: PlanType, description: 'Plan and features.', resolve: planOf }),
    setup: t.field({
      type: Setup,
      nullable: true,
      description: 'Where to send reports; null where it was never set up.',
      resolve: async (account, _args, { load }) => (await load.setup(account.id)) ?? null,
    }),
    team: t.field({
      type: Team,
      nullable: true,
      description: 'The team and its members; null for a personal account.',
      resolve: async (account, _args, { load }) =>
        account.type === 'team' ? ((await load.team(account.id)) ?? null) : null,
    }),
  }),
});

interface AccountPage {
  nodes: Account[];
  endCursor: string | null;
  hasNextPage: boolean;
}

const AccountConnection = builder.objectRef<AccountPage>('AccountConnection').implement({
  description: 'A page of accounts.',
  subGraphs: ['graph'],
  fields: t => ({
    nodes: t.expose('nodes', {
      type: ['Account'],
      complexity: { field: 0, multiplier: 1 },
      description: 'The accounts, by id.',
    }),
    endCursor: t.exposeString('endCursor', { nullable: true, description: 'The `after` of the next page.' }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether there is a next page.' }),
  }),
});

const LARGEST_PAGE = 100;

function requireInternal({ account }: Context): void {
  if (account) throw forbidden('An internal token is required');
}

builder.queryFields(t => ({
  viewer: t.field({
    type: 'Account',
    nullable: true,
    subGraphs: ['graph'],
    description: 'The account that the key belongs to; null for an internal token.',
    resolve: (_root, _args, { account }) => account,
  }),
  account: t.field({
    type: 'Account',
    nullable: true,
    subGraphs: ['graph'],
    complexity: OWN_STATEMENT,
    description: 'The account with this id, or null. For internal tokens alone.',
    args: { id: t.arg.id({ required: true, description: 'Identifier of the account.' }) },
    resolve: async (_root, { id }, context) => {
      requireInternal(context);
      const found = isStorable(id) ? await anyAccount(context.database, id) : undefined;
      return found ?? null;
    },
  }),
  accounts: t.field({
    type: AccountConnection,
    subGraphs: ['graph'],
    description: 'All accounts, by id, a page at a time. For internal tokens alone.',
    complexity: ({ first }) => ({
      field: OWN_STATEMENT,
      multiplier: Math.max(1, Math.min(first ?? LARGEST_PAGE, LARGEST_PAGE)),
    }),
    args: {
      first: t.arg.int({ defaultValue: LARGEST_PAGE, description: 'How many accounts, 1 to 100.' }),
      after: t.arg.string({ description: 'The `endCursor` of the page before.' }),
    },
    resolve: async (_root, { first, after }, context) => {
      requireInternal(context);
      return accountPage(context, first ?? LARGEST_PAGE, after ?? '');
    },
  }),
}));

async function accountPage({ database }: Context, first: number, after: string): Promise<AccountPage> {
  const size = Math.max(1, Math.min(first, LARGEST_PAGE));
  const found = await anyAccounts(database, fromCursor(after), size + 1);
  const nodes = found.slice(0, size);
  const last = nodes.at(-1);
  return { nodes, endCursor: last ? toCursor(last.id) : null, hasNextPage: found.length > size };
}

const toCursor = (id: string) => Buffer.from(id).toString('base64url');

function fromCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (toCursor(id) !== cursor || !isStorable(id)) throw invalid('Invalid cursor');
  return id;
}

/** PostgreSQL knows no text with a NUL in it. */
const isStorable = (text: string) => !text.includes('\0');
