import { onOneLine, withoutControl } from '../terminal/one-line.ts';
import { plural } from '../terminal/plural.ts';
import type { BlockedEffect, CheckedPolicy, CheckReport, Repair, Result } from './check.ts';
import { getHeaderName, type Place } from './policies.ts';

export type OutputFormat = 'text' | 'json' | 'markdown' | 'github';
export const FORMATS: readonly OutputFormat[] = ['text', 'json', 'markdown', 'github'];

/** Limits that apply to every check, because reports cannot show everything. */
export const LIMITS = [
  'Reports come from browsers that send them, of pages that visitors opened under a policy with an address for reports.',
  'Anyone can send a report: read a source before you allow it.',
  'Sources that every policy allowed until now have no reports. Try a stricter policy as Report-Only first.',
];

/** Formats a report. Reported text is escaped in every format. */
export function formatReport(format: OutputFormat, report: CheckReport): string {
  if (format === 'json') return `${JSON.stringify({ ...report, limits: LIMITS }, null, 2)}\n`;
  if (format === 'markdown') return toMarkdown(report);
  return format === 'github' ? toGithub(report) : toText(report);
}

export const SUMMARIES: Record<CheckReport['result'], string> = {
  passed: 'Passed',
  failed: 'Failed',
  incomplete: 'Incomplete, which does not count as a pass',
};

const RESULTS: Record<Result, string> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warning',
  incomplete: 'incomplete',
};

function summarize({ result, site, reports, from, policies, allow }: CheckReport): string {
  const limit = allow > 0 ? `, up to ${plural(allow, 'newly blocked report')} allowed` : '';
  return `${SUMMARIES[result]}: ${policies.length} ${policies.length === 1 ? 'policy' : 'policies'} against ${plural(reports, 'report')} of ${site} since ${from.slice(0, 16)}${limit}.`;
}

const getPlace = ({ file, line, location }: Place & { file: string }) =>
  `${file}:${line}${location ? ` (${location})` : ''}`;

function describePolicy(policy: CheckedPolicy): string {
  const { counts, hasBaseline } = policy;
  const before = counts.blocked - counts.newlyBlocked;
  const already = hasBaseline ? `, ${before} blocked by the baseline too` : '';
  return `${getHeaderName(policy)} ${RESULTS[policy.result]}: ${plural(counts.newlyBlocked, 'report')} ${hasBaseline ? 'newly ' : ''}blocked${already}, ${counts.allowed} allowed, ${counts.unknown} unknown, ${counts.noise} noise`;
}

const describeReach = ({ count, pages, days, lastSeen }: BlockedEffect) =>
  `${plural(count, 'report')} on ${plural(pages, 'page')}, ${plural(days, 'day')}, last on ${lastSeen?.slice(0, 10) ?? 'no day'}`;

const describeSource = ({ violated, blocked }: BlockedEffect) =>
  `${violated || 'unknown'} ${blocked || 'unknown'}`;

function describeRepair(repair: Repair | null): string {
  if (!repair) return 'No source would allow it.';
  const { directive, source, opens } = repair;
  return `Add ${source} to ${directive}.${opens ? ` It lets in ${opens}; prefer a nonce or a hash where there is one.` : ''}`;
}

const UNNAMED = 'the browsers are not among the most frequent ones';

function toText(report: CheckReport): string {
  const lines: string[] = [];
  for (const policy of report.policies) lines.push(...listLines(policy));
  for (const one of report.refused) lines.push(`${getPlace(one)}: refused. ${one.reason}`);
  for (const one of report.skipped) lines.push(`${getPlace(one)}: skipped. ${one.reason}`);
  lines.push(
    ...report.incomplete,
    '',
    summarize(report),
    'What reports cannot tell:',
    ...LIMITS.map(text => `- ${text}`),
  );
  return `${lines.map(onOneLine).join('\n')}\n`;
}

function listLines(policy: CheckedPolicy): string[] {
  const { effects, otherEffects, repaired, notes } = policy;
  return [
    `${getPlace(policy)}: ${describePolicy(policy)}`,
    ...effects.flatMap(effect => [
      `  ${describeSource(effect)}: ${describeReach(effect)}`,
      `    Pages: ${effect.examples.map(({ page }) => page).join(' ')}`,
      `    Browsers: ${effect.browsers.join(', ') || UNNAMED}`,
      `    Repair: ${describeRepair(effect.repair)}`,
    ]),
    ...(otherEffects > 0 ? [`  And ${otherEffects} more.`] : []),
    ...(repaired ? [`  Repaired: ${repaired}`] : []),
    ...notes.map(note => `  Note: ${note}`),
  ];
}

/** Escapes text for a table cell or line of Markdown, so that HTML, links, mentions and markup in reports stay text. */
export function toMarkdownText(text: string): string {
  return onOneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+!|~>@$:/-]/g, mark => `&#${mark.charCodeAt(0)};`);
}

export const toRow = (cells: readonly string[]) => `| ${cells.map(toMarkdownText).join(' | ')} |`;

function toMarkdown(report: CheckReport): string {
  const lines = [`**${toMarkdownText(summarize(report))}**`, ''];
  for (const policy of report.policies) lines.push(...listMarkdown(policy));
  for (const one of report.refused)
    lines.push(`- ${toMarkdownText(`${getPlace(one)}: refused. ${one.reason}`)}`);
  for (const one of report.skipped)
    lines.push(`- ${toMarkdownText(`${getPlace(one)}: skipped. ${one.reason}`)}`);
  for (const gap of report.incomplete) lines.push(`- ${toMarkdownText(gap)}`);
  lines.push('', 'What reports cannot tell:', '', ...LIMITS.map(text => `- ${toMarkdownText(text)}`));
  return `${lines.join('\n')}\n`;
}

function listMarkdown(policy: CheckedPolicy): string[] {
  const { effects, otherEffects, repaired, notes } = policy;
  const rows = effects.map(effect =>
    toRow([
      effect.violated,
      effect.blocked,
      String(effect.count),
      `${effect.pages}: ${effect.examples.map(({ page }) => page).join(', ')}`,
      effect.browsers.join(', ') || UNNAMED,
      String(effect.days),
      describeRepair(effect.repair),
    ]),
  );
  const head = [
    '| Directive | Source | Reports | Pages | Browsers | Days | Repair |',
    '|---|---|---|---|---|---|---|',
  ];
  return [
    toMarkdownText(`${getPlace(policy)}: ${describePolicy(policy)}`),
    '',
    ...(rows.length > 0 ? [...head, ...rows, ''] : []),
    ...(otherEffects > 0 ? [`And ${otherEffects} more.`, ''] : []),
    ...(repaired ? [`Repaired: ${toMarkdownText(repaired)}`, ''] : []),
    ...notes.map(note => `- ${toMarkdownText(note)}`),
    '',
  ];
}

/**
 * Escapes the message of a workflow command as GitHub's toolkit does. `##[` starts a command of the older form anywhere
 * in a line.
 */
export function toMessage(text: string): string {
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return withoutControl(escaped)
    .replace(/[\u2028\u2029]/g, '\u{FFFD}')
    .replaceAll('##[', '## [');
}

const toProperty = (text: string) => toMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export function annotate(
  kind: 'error' | 'warning' | 'notice',
  at: Place & { file: string },
  title: string,
  text: string,
) {
  return `::${kind} file=${toProperty(at.file)},line=${at.line},title=${toProperty(title)}::${toMessage(text)}`;
}

/** Formats a report as workflow commands of GitHub Actions, followed by a summary. */
function toGithub(report: CheckReport): string {
  const lines = report.policies.flatMap(listAnnotations);
  for (const one of report.refused) lines.push(annotate('error', one, 'Policy refused', one.reason));
  for (const one of report.skipped) lines.push(annotate('notice', one, 'Policy skipped', one.reason));
  for (const gap of report.incomplete) lines.push(`::error title=Policy check incomplete::${toMessage(gap)}`);
  const kind = report.result === 'passed' ? 'notice' : 'error';
  lines.push(`::${kind} title=Policy check::${toMessage([summarize(report), ...LIMITS].join('\n'))}`);
  return `${lines.join('\n')}\n`;
}

/** Maximum number of annotations. GitHub shows ten per kind and step, two of which are reserved for summaries. */
export const MOST_ANNOTATIONS = 8;

function listAnnotations(policy: CheckedPolicy): string[] {
  const { effects, otherEffects, repaired, notes, result } = policy;
  const kind = result === 'failed' ? 'error' : 'warning';
  const shown = effects.slice(0, MOST_ANNOTATIONS).map(effect => {
    const text = [
      `${describeSource(effect)}: ${describeReach(effect)}`,
      `Pages: ${effect.examples.map(({ page }) => page).join(' ')}`,
      `Browsers: ${effect.browsers.join(', ') || UNNAMED}`,
      describeRepair(effect.repair),
    ].join('\n');
    return annotate(kind, policy, 'Policy blocks', text);
  });
  const left = effects.length - shown.length + otherEffects;
  const summary = [
    describePolicy(policy),
    ...(left > 0 ? [`${plural(left, 'more source')}: --format text has ${left === 1 ? 'it' : 'them'}.`] : []),
    ...(repaired ? [`Repaired: ${repaired}`] : []),
    ...notes,
  ].join('\n');
  const isBad = result === 'failed' || result === 'incomplete';
  return [
    ...shown,
    annotate(isBad ? 'error' : notes.length > 0 ? 'warning' : 'notice', policy, 'Policy', summary),
  ];
}
