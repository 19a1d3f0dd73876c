import type { ReportType } from '@sightline/reports';
import { dimension } from './dimensions.ts';
import { type InsightSet, toHiddenDimension } from './insight-sets.ts';

/** The maximum length of a report's results, in characters. Longer ones are not examined. */
const LONGEST_RESULTS = 8192;

/** The domains of results that pass, or that do not, as a JSON list. */
const listDomains = (results: string, condition: string) =>
  `jsonb_path_query_array(extra, '$.${results}[*] ? (${condition}).domain')`;

const PASSED = '@.result == "pass"';
const FAILED = '@.result != "pass" && @.result != "none"';
/** DMARC uses the return path. The server's name is used only if there is none (RFC 9989, section 4.4.2). */
const OF_PATH = '(!(@.scope == "helo"))';

const list = (parts: readonly string[]) => `jsonb_build_array(${parts.join(', ')})::text`;

/**
 * Messages by sender, by the report's evaluation, and by the results of DKIM and SPF. The second value contains
 * domains, evaluation, modes and disposition; the third contains the domains of results and the override reasons.
 */
export const MAIL_RESULTS: InsightSet = {
  name: 'mail RESULTS',
  dimensions: [
    dimension('dmarc', 'SENDER')!,
    toHiddenDimension(
      'dmarc',
      'EVALUATION',
      list([
        ...[`reverse(host_reversed)`, `lower(extra->>'domain')`, `extra->>'dkim'`, `extra->>'spf'`],
        ...[`extra->>'aligned'`, `extra #>> '{publishedPolicy,adkim}'`, `extra #>> '{publishedPolicy,aspf}'`],
        'disposition',
      ]),
    ),
    toHiddenDimension(
      'dmarc',
      'RESULTS',
      `left(${list([
        listDomains('dkimResults', PASSED),
        listDomains('dkimResults', FAILED),
        listDomains('spfResults', `${PASSED} && ${OF_PATH}`),
        listDomains('spfResults', `${FAILED} && ${OF_PATH}`),
        listDomains('spfResults', `${PASSED} && @.scope == "helo"`),
        `jsonb_path_query_array(extra, '$.overrideReasons[*].type')`,
      ])}, ${LONGEST_RESULTS})`,
    ),
  ],
  least: 1,
};

/** The texts and lists of `extra` that these values are built from. */
export const MAIL_TEXTS = ['domain', 'dkim', 'spf', 'aligned'];
export const MAIL_POLICY_TEXTS = ['adkim', 'aspf'];
export const MAIL_LISTS = ['dkimResults', 'spfResults', 'overrideReasons'];

export const mailSets = (type: ReportType): readonly InsightSet[] => (type === 'dmarc' ? [MAIL_RESULTS] : []);
