import { FINDING_SOURCES, PRODUCTS, type Product } from '@sightline/feed';
import type { Rows } from '@sightline/pg-client';
import { type FindingRow, listFindings, toSiteKey, type WatchRow } from '../sql/watches.ts';
import { builder, toItems } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { notFound, PublicError } from './errors.ts';
import { requireFirst } from './first-argument.ts';
import { findsNodes, Node } from './global-ids.ts';
import { restRoute } from './rest-route.ts';

export const WatchProduct = builder.enumType('WatchProduct', {
  description: 'The subject of a Watch: scripts, data connections, frames or policies.',
  values: PRODUCTS,
});

const Watch = builder.objectRef<WatchRow>('Watch').implement({
  description: 'A domain that is enrolled in a Watch product.',
  interfaces: [Node],
  fields: t => ({
    site: t.exposeString('site', { description: 'The enrolled domain.' }),
    emailAlertsEnabled: t.exposeBoolean('emailAlertsEnabled', {
      description: 'Whether alerts are sent by e-mail.',
    }),
    webhookEnabled: t.exposeBoolean('webhookEnabled', {
      description: 'Whether alerts are sent to a webhook.',
    }),
    webhookTarget: t.exposeString('webhookTarget', {
      nullable: true,
      description: "The webhook's address, or null.",
    }),
    alertThreshold: t.expose('alertThreshold', {
      type: 'Counter',
      description: 'The number of findings after which an alert is sent.',
    }),
    id: t.exposeID('id', { subGraphs: ['graph'], description: 'Identifier of the enrolment.' }),
    product: t.expose('product', {
      type: WatchProduct,
      subGraphs: ['graph'],
      description: 'The Watch product.',
    }),
  }),
});

findsNodes('Watch', async (account, id, { load }) =>
  (await load.watches(account.id)).find(watch => watch.id === id),
);

const WatchList = builder.objectRef<{ watches: WatchRow[] }>('WatchList').implement({
  description: 'The domains that are enrolled in a Watch product.',
  subGraphs: ['rest'],
  fields: t => ({
    watches: t.expose('watches', { type: [Watch], description: 'The enrolled domains, by site.' }),
  }),
});

const FindingSource = builder.enumType('FindingSource', {
  description: 'The type of the reports that a finding comes from.',
  values: FINDING_SOURCES,
});

const Finding = builder.objectRef<FindingRow>('WatchFinding').implement({
  description: 'A resource that a script, data or frame watch has seen.',
  fields: t => ({
    uri: t.exposeString('subject', { description: 'Address of the blocked resource.' }),
    count: t.expose('count', { type: 'Counter', description: 'How often it was reported.' }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'When it was first reported.' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'When it was last reported.' }),
    source: t.expose('source', {
      type: FindingSource,
      description: 'The type of the reports that the finding comes from.',
    }),
  }),
});

const PolicyFinding = builder.objectRef<FindingRow>('PolicyWatchFinding').implement({
  description: 'A policy that a policy watch has seen.',
  fields: t => ({
    policy: t.exposeString('subject', { description: "The policy's text." }),
    enforced: t.exposeBoolean('enforced', { description: 'Whether it was enforced.' }),
    count: t.expose('count', { type: 'Counter', description: 'How often it was reported.' }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'When it was first reported.' }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'When it was last reported.' }),
  }),
});

interface Findings {
  findings: Rows<FindingRow>;
}

const FindingList = builder.objectRef<Findings>('WatchFindingList').implement({
  description: 'What a script, data or frame watch has seen.',
  subGraphs: ['rest'],
  fields: t => ({
    findings: t.field({
      type: [Finding],
      description: 'The findings, most recently seen first.',
      resolve: ({ findings }) => toItems(findings),
    }),
  }),
});

const PolicyFindingList = builder.objectRef<Findings>('PolicyWatchFindingList').implement({
  description: 'What a policy watch has seen.',
  subGraphs: ['rest'],
  fields: t => ({
    findings: t.field({
      type: [PolicyFinding],
      description: 'The policies, most recently seen first.',
      resolve: ({ findings }) => toItems(findings),
    }),
  }),
});

async function findingsOn(site: string, product: Product, context: Context): Promise<Findings> {
  const key = { account_id: ownAccount(context).id, product, siteKey: toSiteKey(site) };
  const findings = await listFindings(context.database, key);
  if (!findings) throw notFound('Domain is not enrolled');
  return { findings };
}

const domain = { type: 'HostName', required: true, description: 'An enrolled domain.' } as const;
const errors = { 404: ['Domain is not enrolled'] };

builder.queryFields(t => ({
  watches: t.field({
    type: WatchList,
    description: 'The domains that are enrolled in {product} watch, sorted by site.',
    args: { product: t.arg({ type: WatchProduct, required: true, description: 'The Watch product.' }) },
    ...restRoute({
      path: '/watches/:product(script|data|frame|policy)',
      tag: 'Watches',
      verb: 'list',
      summary: 'Domains enrolled in {product} watch',
      example: { product: 'script' },
    }),
    resolve: async (_root, { product }, context) => {
      const enrolled = await context.load.watches(ownAccount(context).id);
      return { watches: enrolled.filter(watch => watch.product === product) };
    },
  }),
  watchFindings: t.field({
    type: FindingList,
    description: 'The findings of {product} watch on a domain, most recently seen first.',
    args: {
      product: t.arg({ type: WatchProduct, required: true, description: 'The Watch product.' }),
      domain: t.arg(domain),
    },
    ...restRoute({
      path: '/watches/:product(script|data|frame)/:domain',
      tag: 'Watches',
      verb: 'list',
      summary: 'Findings of {product} watch on a domain',
      example: { product: 'script', domain: 'www.example.com' },
      errors,
    }),
    resolve: (_root, { product, domain }, context) => findingsOn(domain, product, context),
  }),
  policyWatchFindings: t.field({
    type: PolicyFindingList,
    description: 'The policies that policy watch has found on a domain, most recently seen first.',
    args: { domain: t.arg(domain) },
    ...restRoute({
      path: '/watches/policy/:domain',
      tag: 'Watches',
      verb: 'list',
      summary: 'Findings of policy watch on a domain',
      example: { domain: 'www.example.com' },
      errors,
    }),
    resolve: (_root, { domain }, context) => findingsOn(domain, 'policy', context),
  }),
}));

const AnyFinding = builder.unionType('AnyWatchFinding', {
  description: 'A finding of any Watch product.',
  subGraphs: ['graph'],
  types: [Finding, PolicyFinding],
  resolveType: ({ product }) => (product === 'policy' ? PolicyFinding : Finding),
});

/** The maximum number of findings of a watch in a response, which is written in one turn of the event loop. */
const MOST_FINDINGS = 1000;

const tooManyFindings = ({ product, site }: WatchRow) =>
  new PublicError(
    'LIMIT_EXCEEDED',
    `The ${product} watch of ${site} has more than ${MOST_FINDINGS} findings: request the first ones, or read all of them from /export/findings.`,
    { limit: 'findings', max: MOST_FINDINGS },
  );

builder.objectField('Watch', 'findings', t =>
  t.field({
    type: [AnyFinding],
    subGraphs: ['graph'],
    description: 'The findings of the watch, most recently seen first.',
    args: {
      first: t.arg.int({
        description: `The number of findings, at most ${MOST_FINDINGS}. By default all are returned, and a watch with more is refused.`,
      }),
    },
    resolve: async (watch, { first }, { load }) => {
      const size = first == null ? MOST_FINDINGS + 1 : requireFirst(first, MOST_FINDINGS);
      const found = (await load.findings({ first: size })(watch)) ?? [];
      if (found.length > MOST_FINDINGS) throw tooManyFindings(watch);
      return found;
    },
  }),
);

builder.objectField('Account', 'watches', t =>
  t.field({
    type: [Watch],
    description: 'The enrolled domains of one or all products, sorted by site.',
    args: { product: t.arg({ type: WatchProduct, description: 'Only this product.' }) },
    resolve: async (account, { product }, { load }) => {
      const enrolled = await load.watches(account.id);
      return product ? enrolled.filter(watch => watch.product === product) : enrolled;
    },
  }),
);
