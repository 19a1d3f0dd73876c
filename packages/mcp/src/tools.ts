import type { Ask } from '@sightline/ask';
import { REPORT_TYPES } from '@sightline/reports';
import { NOISE } from '@sightline/reports/source-classes';
import * as z from 'zod';
import * as queries from './queries.ts';

/** A tool's finding: marked data, and a link for a person to look at it. */
export interface Found {
  data: unknown;
  link: string;
}

export interface Tool {
  name: string;
  title: string;
  /** The question that it answers. */
  description: string;
  input: z.ZodObject;
  /** @param input as `input` has read it. @throws {AskFailed} */
  answer(ask: Ask, input: never): Promise<Found>;
}

function tool<Shape extends z.ZodRawShape>(
  name: string,
  title: string,
  description: string,
  shape: Shape,
  answer: (ask: Ask, input: z.infer<z.ZodObject<Shape>>) => Promise<Found>,
): Tool {
  return { name, title, description, input: z.strictObject(shape), answer };
}

/** As the page has them: days until now, today among them. */
const DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
type PeriodName = keyof typeof DAYS;
const period = z
  .enum(Object.keys(DAYS) as [PeriodName, ...PeriodName[]])
  .default('7d')
  .describe('The days until now, in UTC; 1d is today.');
const limit = z.int().min(1).max(50).default(10).describe('How many rows.');
const reportType = z.enum(REPORT_TYPES).describe('The type of the reports.');

/** The start of the period's first day. */
function startOf(name: PeriodName): string {
  const today = new Date();
  const day = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - DAYS[name] + 1);
  return new Date(day).toISOString();
}

/** Reports that no site can mend: of browsers, of extensions, and of policies that allow the blocked thing. */
const WITHOUT_NOISE = { sourceClass: NOISE };

const value = z.union([z.string().max(2048), z.boolean(), z.number(), z.array(z.string().max(2048)).max(50)]);
const filter = z.record(z.string(), value).optional();
const where = filter.describe(
  'Filters as GraphQL has them, such as {"hostnames": ["*.example.com"]}. An error names those that the type has.',
);
const not = filter.describe('The same filters: what matches is left out.');

/** A tool for each question that a person asks. All of them only read. */
export const TOOLS: readonly Tool[] = [
  tool(
    'signs',
    'What is worth a look',
    'What is new or unusual, the most severe first: threats, incidents, changes? Ask this first; each sign has the view that shows it.',
    { period, limit },
    async (ask, { period, limit }) => {
      const { signs } = await ask.graphql<{ signs: object[] }>(queries.SIGNS, { from: startOf(period) });
      return { data: { signs: signs.slice(0, limit), total: signs.length }, link: ask.link('') };
    },
  ),
  tool(
    'most_blocked',
    'What was blocked most',
    'What did Content Security Policies block or report most? Without browser extensions, unless they are asked for.',
    {
      period,
      by: z
        .enum(['BLOCKED_HOST', 'DIRECTIVE', 'PAGE_HOST', 'PAGE_PATH', 'SOURCE_CLASS', 'BROWSER'])
        .default('BLOCKED_HOST')
        .describe('What to count by.'),
      extensions: z.boolean().default(false).describe('Whether to count what browsers and extensions cause.'),
      limit,
    },
    async (ask, { period, by, extensions, limit }) => {
      const not = extensions ? undefined : WITHOUT_NOISE;
      const variables = { type: 'csp', from: startOf(period), by: [by], not, first: limit };
      const { groups } = await ask.graphql<{ groups: object }>(queries.GROUPS, variables);
      return { data: groups, link: ask.link('csp', { period, ...(!extensions && { noise: 'hidden' }) }) };
    },
  ),
  tool(
    'count_reports',
    'Count reports of any type',
    'How many reports of a type are there, by up to three of their properties? An error names those that a type has.',
    {
      type: reportType,
      period,
      by: z
        .array(z.string().regex(/^[A-Z_]+$/))
        .min(1)
        .max(3)
        .describe('Such as DAY, NEL_TYPE or SENDER.'),
      where,
      not,
      limit,
    },
    async (ask, { type, period, by, where, not, limit }) => {
      const variables = { type, from: startOf(period), by, where, not, first: limit };
      const { groups } = await ask.graphql<{ groups: object }>(queries.GROUPS, variables);
      return { data: groups, link: ask.link(type, { period }) };
    },
  ),
  tool(
    'newest_reports',
    'The newest reports of a type',
    'Which reports of a type came last? Each has the id that get_report takes.',
    { type: reportType, period: period.default('1d'), where, not, limit },
    async (ask, { type, period, where, not, limit }) => {
      const variables = { type, from: startOf(period), where, not, first: limit };
      const { reports } = await ask.graphql<{ reports: { reports: object[] } }>(queries.NEWEST, variables);
      return { data: reports.reports, link: ask.link(`${type}/reports`, { period }) };
    },
  ),
  tool(
    'get_report',
    'One report',
    'What does one report say, with every field and the original text?',
    { type: reportType, id: z.string().min(1).max(255).describe('The id of the report.') },
    async (ask, { type, id }) => {
      const [report] = await ask.get<object[]>(`/export/reports/${type}`, { id, format: 'json' });
      const link = ask.link(`${type}/reports/${encodeURIComponent(id)}`);
      return { data: report ?? 'There is no such report, or its retention has passed.', link };
    },
  ),
  tool(
    'policy_effect',
    'Does the policy break anything',
    'Does the Content Security Policy break anything? Saved policies, and what was enforced or reported of each directive, without browser extensions.',
    { period, limit },
    async (ask, { period, limit }) => {
      const variables = { from: startOf(period), not: WITHOUT_NOISE, first: limit };
      const data = await ask.graphql<object>(queries.POLICY_EFFECT, variables);
      return { data, link: ask.link('policies') };
    },
  ),
  tool(
    'mail_authentication',
    'Is our mail authenticated',
    'DMARC: how much mail is aligned, by domain, and which senders fail?',
    { period, limit },
    async (ask, { period, limit }) => {
      const variables = { from: startOf(period), first: limit };
      return {
        data: await ask.graphql<object>(queries.MAIL, variables),
        link: ask.link('dmarc', { period }),
      };
    },
  ),
  tool(
    'new_findings',
    'What the watches found',
    'Which scripts, connections, frames and policies did the watches see for the first time?',
    { period, limit },
    async (ask, { period, limit }) => {
      const { watches } = await ask.graphql<{ watches: Watch[] }>(queries.WATCHES, {});
      const start = startOf(period);
      const found = watches
        .flatMap(({ site, product, findings }) => findings.map(finding => ({ site, product, ...finding })))
        .filter(({ firstSeen }) => Date.parse(firstSeen) >= Date.parse(start))
        .sort((one, other) => other.firstSeen.localeCompare(one.firstSeen));
      return { data: { findings: found.slice(0, limit), total: found.length }, link: ask.link('watches') };
    },
  ),
  tool(
    'new_certificates',
    'Which certificates were issued',
    'Which certificates did Certificate Transparency see, by issuer and name?',
    { period, limit },
    async (ask, { period, limit }) => {
      const type = 'certificate_transparency';
      const variables = {
        type,
        from: startOf(period),
        by: ['ISSUER', 'PAGE_HOST'],
        first: limit,
        orderBy: 'LAST_SEEN',
      };
      const { groups } = await ask.graphql<{ groups: object }>(queries.GROUPS, variables);
      return { data: groups, link: ask.link(type, { period }) };
    },
  ),
  tool(
    'quota',
    'Will the quota last',
    'Whose account is it, what does the plan include, how much of the quota is used, and what became of the reports?',
    {},
    async ask => ({ data: await ask.graphql<object>(queries.QUOTA, {}), link: ask.link('') }),
  ),
  tool(
    'audit_log',
    'Who changed what',
    'Who did what in the account lately?',
    { limit },
    async (ask, { limit }) => {
      const { auditLog } = await ask.graphql<{ auditLog: { events: object[] } }>(queries.AUDIT, { limit });
      return { data: auditLog.events, link: ask.link('audit') };
    },
  ),
];

interface Watch {
  site: string;
  product: string;
  findings: { firstSeen: string }[];
}
