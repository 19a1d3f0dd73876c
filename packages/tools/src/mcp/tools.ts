import { NOISE, REPORT_TYPES } from '@sightline/reports';
import * as z from 'zod';
import {
  AuditEventsDocument,
  type GroupBy,
  MailDocument,
  NewestReportsDocument,
  NewFindingsDocument,
  PolicyEffectDocument,
  QuotaDocument,
  RankedGroupsDocument,
  type RankedGroupsQueryVariables,
  type ReportFilter,
} from '../documents.generated.ts';
import { askInsights } from '../service/insights.ts';
import type { ServiceConnection } from '../service/service.ts';
import { toolInput } from './arguments.ts';

/** The result of a tool: data marked as untrusted, and a link for people. */
export interface ToolResult {
  data: unknown;
  link: string;
}

export interface Tool {
  name: string;
  title: string;
  /** The question that the tool answers, as a description for the model. */
  description: string;
  input: z.ZodObject;
  /**
   * Answers a call.
   * @param input the arguments, parsed by `input`
   * @throws {SightlineError}
   */
  answer(service: ServiceConnection, input: never): Promise<ToolResult>;
}

function tool<Shape extends z.ZodRawShape>(
  name: string,
  title: string,
  description: string,
  shape: Shape,
  answer: (service: ServiceConnection, input: z.infer<z.ZodObject<Shape>>) => Promise<ToolResult>,
): Tool {
  return { name, title, description, input: toolInput(shape), answer };
}

/** The periods of the page, in days up to and including today. */
const DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
type PeriodName = keyof typeof DAYS;
const periodName = z.enum(Object.keys(DAYS) as [PeriodName, ...PeriodName[]]);
const period = periodName.default('7d').describe('The days until now, in UTC; 1d is today.');
const limit = z.int().min(1).max(50).default(10).describe('How many rows.');
const reportType = z.enum(REPORT_TYPES).describe('The type of the reports.');

/** The maximum number of saved policies in an answer, since each can have 64 KiB. */
const MOST_POLICIES = 20;

/** A start before all reports; the plan's retention still applies. */
const OLDEST = '0001-01-01T00:00:00Z';

/** Returns the start of the period's first day. */
function getStart(name: PeriodName): string {
  const today = new Date();
  const day = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - DAYS[name] + 1);
  return new Date(day).toISOString();
}

/**
 * Excludes reports that no site can fix: those caused by browsers or extensions, and those whose policy allows the
 * blocked resource.
 */
const WITHOUT_NOISE: ReportFilter = { sourceClass: [...NOISE] };

const value = z.union([z.string().max(2048), z.boolean(), z.number(), z.array(z.string().max(2048)).max(50)]);
const filter = z.record(z.string(), value).optional();
const where = filter.describe(
  'Filters as GraphQL has them, such as {"hostnames": ["*.example.com"]}. An error names those that the type has.',
);
const not = filter.describe('The same filters: what matches is left out.');

/** One tool for each question that people ask. All tools are read-only. */
export const TOOLS: readonly Tool[] = [
  tool(
    'insights',
    'What needs attention',
    'What is new or unusual, the most severe first: threats, incidents, changes? Ask this first; each insight has the view that shows it.',
    { period, limit },
    async (service, { period, limit }) => {
      const insights = await askInsights(service, getStart(period));
      return { data: { insights: insights.slice(0, limit), total: insights.length }, link: service.link('') };
    },
  ),
  tool(
    'most_blocked',
    'What was blocked most',
    'What did Content Security Policies block or report most? Browser extensions are excluded unless requested.',
    {
      period,
      by: z
        .enum(['BLOCKED_HOST', 'DIRECTIVE', 'PAGE_HOST', 'PAGE_PATH', 'SOURCE_CLASS', 'BROWSER'])
        .default('BLOCKED_HOST')
        .describe('What to count by.'),
      extensions: z
        .boolean()
        .default(false)
        .describe('True to include reports caused by browsers and extensions.'),
      limit,
    },
    async (service, { period, by, extensions, limit }) => {
      const not = extensions ? undefined : WITHOUT_NOISE;
      const variables = { type: 'csp' as const, from: getStart(period), by: [by], not, first: limit };
      const { groups } = await service.ask(RankedGroupsDocument, variables);
      return { data: groups, link: service.link('csp', { period, ...(!extensions && { noise: 'hidden' }) }) };
    },
  ),
  tool(
    'count_reports',
    'Count reports of any type',
    'How many reports of a type are there, by up to three of their properties? An error names those that a type has.',
    {
      type: reportType,
      period,
      by: z.array(z.string().max(64)).min(1).max(3).describe('Such as DAY, NEL_TYPE or SENDER.'),
      where,
      not,
      limit,
    },
    async (service, { type, period, by, where, not, limit }) => {
      // The service validates the names, and its error lists the valid ones.
      const variables = { type, from: getStart(period), by: by as GroupBy[], where, not, first: limit };
      const { groups } = await service.ask(RankedGroupsDocument, variables);
      return { data: groups, link: service.link(type, { period }) };
    },
  ),
  tool(
    'newest_reports',
    'The newest reports of a type',
    'Which reports of a type arrived last? Each has the id that get_report accepts.',
    {
      type: reportType,
      period: periodName.optional().describe('Only reports of these days; of any day if omitted.'),
      where,
      not,
      limit,
    },
    async (service, { type, period, where, not, limit }) => {
      const from = period ? getStart(period) : OLDEST;
      const variables = { type, from, where, not, first: limit };
      const { reports } = await service.ask(NewestReportsDocument, variables);
      return { data: reports!.reports, link: service.link(`${type}/reports`, { period: period ?? '90d' }) };
    },
  ),
  tool(
    'get_report',
    'One report',
    'What does one report say, with every field and the original text?',
    { type: reportType, id: z.string().min(1).max(255).describe('The id of the report.') },
    async (service, { type, id }) => {
      const reports = service.client.export('/export/reports/{type}', { type, id });
      const { value: report } = await reports.next();
      await reports.return();
      const link = service.link(`${type}/reports/${encodeURIComponent(id)}`);
      return { data: report ?? 'There is no such report, or its retention has passed.', link };
    },
  ),
  tool(
    'policy_effect',
    'Does the policy break anything',
    'Does the Content Security Policy break anything? Saved policies, and what was enforced or reported of each directive, without browser extensions.',
    { period, limit },
    async (service, { period, limit }) => {
      const policies = Math.min(limit, MOST_POLICIES);
      const variables = { from: getStart(period), not: WITHOUT_NOISE, first: limit, policies };
      const data = await service.ask(PolicyEffectDocument, variables);
      return { data, link: service.link('policies') };
    },
  ),
  tool(
    'mail_authentication',
    'Is our mail authenticated',
    'DMARC: how much mail is aligned, by domain, and which senders fail?',
    { period, limit },
    async (service, { period, limit }) => {
      const variables = { from: getStart(period), first: limit };
      return {
        data: await service.ask(MailDocument, variables),
        link: service.link('dmarc', { period }),
      };
    },
  ),
  tool(
    'new_findings',
    'What the watches found',
    'Which scripts, connections, frames and policies did the watches see for the first time? By domain, the most important first.',
    { period, limit },
    async (service, { period, limit }) => {
      const { newFindings } = await service.ask(NewFindingsDocument, {
        since: getStart(period),
        first: limit,
      });
      return { data: newFindings, link: service.link('watches') };
    },
  ),
  tool(
    'new_certificates',
    'Which certificates were issued',
    'Which certificates did Certificate Transparency see, by issuer and name?',
    { period, limit },
    async (service, { period, limit }) => {
      const type = 'certificate_transparency';
      const variables: RankedGroupsQueryVariables = {
        type,
        from: getStart(period),
        by: ['ISSUER', 'PAGE_HOST'],
        first: limit,
        orderBy: 'LAST_SEEN',
      };
      const { groups } = await service.ask(RankedGroupsDocument, variables);
      return { data: groups, link: service.link(type, { period }) };
    },
  ),
  tool(
    'quota',
    'Will the quota last',
    'Whose account is it, what does the plan include, how much of the quota is used, and what happened to the reports?',
    {},
    async service => ({ data: await service.ask(QuotaDocument, {}), link: service.link('') }),
  ),
  tool(
    'audit_log',
    'Who changed what',
    'Who did what in the account lately?',
    { limit },
    async (service, { limit }) => {
      const { auditLog } = await service.ask(AuditEventsDocument, { limit });
      return { data: auditLog!.events, link: service.link('audit') };
    },
  ),
];
