import { onOneLine } from '../../terminal/one-line.ts';
import { plural } from '../../terminal/plural.ts';
import {
  annotate,
  MOST_ANNOTATIONS,
  type OutputFormat,
  SUMMARIES,
  toMarkdownText,
  toMessage,
  toRow,
} from '../formats.ts';
import type { CheckedRecord, DmarcCheckReport, LosingSender } from './check.ts';

/** Formats a report. Names in it are untrusted, and are escaped in every format. */
export function formatDmarcReport(format: OutputFormat, report: DmarcCheckReport): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  if (format === 'markdown') return toMarkdown(report);
  return format === 'github' ? toGithub(report) : toText(report);
}

function summarize({ result, records, from, allow }: DmarcCheckReport): string {
  const messages = records.reduce((sum, { counts }) => sum + counts.messages, 0);
  const limit = allow > 0 ? `, up to ${plural(allow, 'newly lost message')} allowed` : '';
  return `${SUMMARIES[result]}: ${plural(records.length, 'DMARC record')} against ${plural(messages, 'message')} since ${from.slice(0, 16)}${limit}.`;
}

function describeRecord({ file, line, domain, result, counts, published }: CheckedRecord): string {
  const { lost, delivered, quarantined, rejected } = counts;
  return `${file}:${line}: ${domain} ${result}: ${plural(lost, 'message')} of your senders newly lost; ${delivered} delivered, ${quarantined} quarantined, ${rejected} rejected. Published: ${published ?? 'unknown'}`;
}

const getName = ({ sender }: LosingSender) => sender || 'unknown sender';

const describeReasons = ({ reasons }: LosingSender) =>
  reasons
    .map(({ cause, messages, domain }) => `${cause} ${messages}${domain ? ` (${domain})` : ''}`)
    .join(', ');

const listLimits = ({ records }: DmarcCheckReport) => [...new Set(records.flatMap(({ limits }) => limits))];

function toText(report: DmarcCheckReport): string {
  const lines = report.records.flatMap(one => [
    describeRecord(one),
    ...one.senders.flatMap(sender => [
      `  ${getName(sender)}: ${sender.lost} of ${plural(sender.messages, 'message')} lost`,
      `    Why: ${describeReasons(sender)}`,
      `    Repair: ${sender.repair}`,
    ]),
    `  Record: ${one.record}`,
    ...one.notes.map(note => `  Note: ${note}`),
    ...one.incomplete,
  ]);
  lines.push(
    '',
    summarize(report),
    'What reports cannot tell:',
    ...listLimits(report).map(text => `- ${text}`),
  );
  return `${lines.map(onOneLine).join('\n')}\n`;
}

function toMarkdown(report: DmarcCheckReport): string {
  const lines = [`**${toMarkdownText(summarize(report))}**`, ''];
  for (const one of report.records) {
    const rows = one.senders.map(sender =>
      toRow([
        getName(sender),
        String(sender.lost),
        String(sender.messages),
        describeReasons(sender),
        sender.repair,
      ]),
    );
    lines.push(toMarkdownText(describeRecord(one)), '');
    if (rows.length > 0)
      lines.push('| Sender | Lost | Messages | Why | Repair |', '|---|---|---|---|---|', ...rows, '');
    lines.push(`Record: ${toMarkdownText(one.record)}`, '');
    for (const note of [...one.notes, ...one.incomplete]) lines.push(`- ${toMarkdownText(note)}`);
  }
  lines.push(
    '',
    'What reports cannot tell:',
    '',
    ...listLimits(report).map(text => `- ${toMarkdownText(text)}`),
  );
  return `${lines.join('\n')}\n`;
}

function toGithub(report: DmarcCheckReport): string {
  const lines = report.records.flatMap(one => {
    const shown = one.senders
      .slice(0, MOST_ANNOTATIONS)
      .map(sender =>
        annotate(
          one.result === 'passed' ? 'warning' : 'error',
          one,
          'DMARC record loses mail',
          `${getName(sender)}: ${sender.lost} of ${plural(sender.messages, 'message')} lost\n${describeReasons(sender)}\n${sender.repair}`,
        ),
      );
    const left = one.senders.length - shown.length;
    const more = left > 0 ? [`${left} more senders: --format text has them.`] : [];
    const text = [describeRecord(one), ...more, ...one.incomplete, ...one.notes].join('\n');
    return [...shown, annotate(one.result === 'passed' ? 'notice' : 'error', one, 'DMARC record', text)];
  });
  const kind = report.result === 'passed' ? 'notice' : 'error';
  lines.push(
    `::${kind} title=Policy check::${toMessage([summarize(report), ...listLimits(report)].join('\n'))}`,
  );
  return `${lines.join('\n')}\n`;
}
