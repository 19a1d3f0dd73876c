import type { Account } from '../sql/account.ts';
import { type PolicyRow, policy } from '../sql/policies.ts';
import { builder } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { invalid, notFound } from './errors.ts';
import { findsNodes, Node } from './global-ids.ts';
import { restRoute } from './rest-route.ts';

const CspPolicy = builder.objectRef<Pick<PolicyRow, 'id' | 'name' | 'policy'>>('CspPolicy').implement({
  description: 'A saved Content Security Policy.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Identifier of the policy.' }),
    policyId: t.exposeString('id', {
      subGraphs: ['graph'],
      description: 'Identifier of the policy, unique within the account: `id` of `/v1`.',
    }),
    name: t.exposeString('name', { description: 'Name of the policy.' }),
    policy: t.exposeString('policy', { description: "The policy's text." }),
  }),
});

findsNodes('CspPolicy', (account, id, { database }) => policy(database, account.id, id));

const SavedPolicies = builder.objectRef<{ policies: PolicyRow[] }>('CspPolicyList').implement({
  description: 'Saved Content Security Policies.',
  subGraphs: ['rest'],
  fields: t => ({
    policies: t.expose('policies', { type: [CspPolicy], description: 'The policies, by name, then id.' }),
  }),
});

interface Wizard {
  active: boolean;
  policy: string;
}

const CspWizard = builder.objectRef<Wizard>('CspWizard').implement({
  description: 'State of the CSP Wizard, which builds a policy from the reports of a site.',
  fields: t => ({
    active: t.exposeBoolean('active', { description: 'Whether the wizard is active.' }),
    policy: t.exposeString('policy', { description: 'The policy that it has built so far.' }),
  }),
});

async function getPolicy(account: Account, id: string, { database }: Context): Promise<PolicyRow> {
  const found = await policy(database, account.id, id);
  if (!found) throw notFound('Policy not found');
  return found;
}

async function getWizard(account: Account, { load }: Context): Promise<Wizard> {
  return (await load.wizard(account.id)) ?? { active: false, policy: '' };
}

builder.queryFields(t => ({
  cspPolicies: t.field({
    type: SavedPolicies,
    description: 'The saved Content Security Policies, by name, then id.',
    ...restRoute({ path: '/policies/csp', verb: 'list', tag: 'Policies', summary: 'All saved policies' }),
    resolve: async (_root, _args, context) => ({
      policies: await context.load.policies(ownAccount(context).id),
    }),
  }),
  cspPolicy: t.field({
    type: CspPolicy,
    description: 'One saved Content Security Policy.',
    args: { id: t.arg({ type: 'PathText', required: true, description: 'Identifier of the policy.' }) },
    ...restRoute({
      path: '/policies/csp/:id',
      tag: 'Policies',
      summary: 'One saved policy',
      example: { id: 'main-site' },
      errors: { 404: ['Policy not found'] },
    }),
    resolve: (_root, { id }, context) => getPolicy(ownAccount(context), id, context),
  }),
  cspWizard: t.field({
    type: CspWizard,
    description: 'State of the CSP Wizard.',
    ...restRoute({ path: '/wizard/csp', tag: 'Policies', summary: 'State of the CSP Wizard' }),
    resolve: (_root, _args, context) => getWizard(ownAccount(context), context),
  }),
}));

builder.objectFields('Account', t => ({
  policies: t.field({
    type: [CspPolicy],
    description: 'The saved Content Security Policies, by name, then id.',
    args: { first: t.arg.int({ description: 'The maximum number of policies; all by default.' }) },
    async resolve(account, { first }, { load }) {
      if (first != null && first < 1)
        throw invalid('Invalid value for parameter: first. It must be at least 1.');
      const saved = await load.policies(account.id);
      return first == null ? saved : saved.slice(0, first);
    },
  }),
  wizard: t.field({
    type: CspWizard,
    description: 'State of the CSP Wizard.',
    resolve: (account, _args, context) => getWizard(account, context),
  }),
}));
