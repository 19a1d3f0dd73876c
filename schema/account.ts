import { type Account, anyAccount, type SetupRow, type TeamRow } from '../sql/account.ts';
import { AccountConnection, accountPage, isStorable, LARGEST_PAGE } from './account-connection.ts';
import { AccountType, PlanType, Profile, Setup, Team, toProfile } from './account-types.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { getPlan } from './entitlements.ts';
import { forbidden, notFound } from './errors.ts';
import { findNode, Node, readGlobalId, typed } from './global-ids.ts';
import { restRoute } from './rest-route.ts';

async function getSetup(account: Account, { load }: Context): Promise<SetupRow> {
  const setup = await load.setup(account.id);
  if (!setup) throw notFound('Setup not found');
  return setup;
}

async function getTeam(account: Account, { load }: Context): Promise<TeamRow> {
  const team = account.type === 'team' ? await load.team(account.id) : undefined;
  if (!team) throw forbidden('A team API key is required');
  return team;
}

builder.queryFields(t => ({
  me: t.field({
    type: Profile,
    description: 'The account that the key belongs to.',
    ...restRoute({ path: '/me', tag: 'Account', summary: 'The account of the key' }),
    resolve: (_root, _args, context) => toProfile(ownAccount(context)),
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
    resolve: (_root, _args, context) => getSetup(ownAccount(context), context),
  }),
  plan: t.field({
    type: PlanType,
    description: "The account's plan and its features.",
    ...restRoute({ path: '/plan', tag: 'Account', summary: 'The plan and its features' }),
    resolve: (_root, _args, context) => getPlan(ownAccount(context)),
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
    resolve: (_root, _args, context) => getTeam(ownAccount(context), context),
  }),
}));

builder.objectType('Account', {
  description: 'An account and its data.',
  subGraphs: ['graph'],
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Identifier of the account. For a team, this is its `teamId`.' }),
    type: t.expose('type', {
      type: AccountType,
      description: 'Whether the account is personal or belongs to a team.',
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'E-mail address of a personal account.',
    }),
    teamName: t.exposeString('teamName', { nullable: true, description: 'Name of a team.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was created.' }),
    plan: t.field({ type: PlanType, description: 'Plan and features.', resolve: getPlan }),
    setup: t.field({
      type: Setup,
      nullable: true,
      description: 'Where to send reports; null if this was never set up.',
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

/** An account's id is global by itself. The ids of all other objects contain the account. */
async function findNodeById(id: string, context: Context): Promise<object | null> {
  const read = readGlobalId(id);
  const owner = read && (await visibleAccount(read.account_id, context));
  const found = owner && (await findNode(owner, read, context));
  if (found) return found;
  // An account's id can happen to look like an object's id.
  const account = await visibleAccount(id, context);
  return account ? typed('Account', { ...account }) : null;
}

/** Finds an account that the caller can read: its own, or any account for an internal token. */
export async function visibleAccount(
  id: string,
  { account, database }: Pick<Context, 'account' | 'database'>,
): Promise<Account | undefined> {
  if (account) return account.id === id ? account : undefined;
  return isStorable(id) ? anyAccount(database, id) : undefined;
}

const needsInternal = () => forbidden('An internal token is required');

builder.queryFields(t => ({
  viewer: t.field({
    type: 'Account',
    nullable: true,
    subGraphs: ['graph'],
    description: 'The account that the key belongs to; null for an internal token.',
    resolve: (_root, _args, { account }) => account,
  }),
  node: t.field({
    type: Node,
    nullable: true,
    subGraphs: ['graph'],
    complexity: 2 * OWN_STATEMENT,
    description:
      'The object with this `id`, or null if it does not exist or belongs to an account that the key ' +
      'cannot access.',
    args: { id: t.arg.id({ required: true, description: 'The `id` of the object.' }) },
    resolve: (_root, { id }, context) => findNodeById(id, context),
  }),
  account: t.field({
    type: 'Account',
    nullable: true,
    subGraphs: ['graph'],
    complexity: OWN_STATEMENT,
    description: "The account with this id, or null. An account's key can request only its own account.",
    args: { id: t.arg.id({ required: true, description: 'Identifier of the account.' }) },
    resolve: async (_root, { id }, context) => {
      const found = await visibleAccount(id, context);
      if (!found && context.account) throw needsInternal();
      return found ?? null;
    },
  }),
  accounts: t.field({
    type: AccountConnection,
    subGraphs: ['graph'],
    description: 'A page of all accounts, sorted by id. Only for internal tokens.',
    complexity: ({ first }) => ({
      field: OWN_STATEMENT,
      multiplier: Math.max(1, Math.min(first ?? LARGEST_PAGE, LARGEST_PAGE)),
    }),
    args: {
      first: t.arg.int({ defaultValue: LARGEST_PAGE, description: 'The number of accounts, 1 to 100.' }),
      after: t.arg.string({ description: 'The `pageInfo.endCursor` of the previous page.' }),
    },
    resolve: async (_root, { first, after }, context) => {
      if (context.account) throw needsInternal();
      return accountPage(context, first ?? LARGEST_PAGE, after ?? '');
    },
  }),
}));
