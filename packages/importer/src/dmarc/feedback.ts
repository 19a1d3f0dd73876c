import { toInteger, toTime } from '../values.ts';
import { type AggregateReport, type AggregateRow, getPolicy } from './aggregate.ts';
import type { Element } from './element.ts';

/** Parses `<report_metadata>` and the first `<policy_published>`. */
export function findReport(metadata: Element | undefined, policy: Element | undefined): AggregateReport {
  const ofMetadata = (name: string) => metadata?.of(name) ?? '';
  const ofPolicy = (name: string) => policy?.of(name) ?? '';
  const email = ofMetadata('email');
  const range = metadata?.child('date_range');
  return {
    reporter: ofMetadata('org_name') || (email.split('@').at(-1) ?? ''),
    reporterEmail: email,
    reportId: ofMetadata('report_id').replace(/[<>]/g, '').trim(),
    generator: ofMetadata('generator'),
    begin: toTime(range?.of('begin')),
    end: toTime(range?.of('end')),
    domain: ofPolicy('domain'),
    policy: getPolicy(ofPolicy),
  };
}

/** Checks whether a record contains every value that is counted, even if the record is truncated. */
export function hasRow(record: Element): boolean {
  return record.whole('row').length > 0;
}

/**
 * Returns the rows of a `<record>`. If it has as many identifiers and results as rows, each row gets its own; otherwise
 * all rows get the first ones.
 */
export function toRows(record: Element): AggregateRow[] {
  const rows = record.all('row');
  const [identifiers, results] = [record.all('identifiers', 'identities'), record.all('auth_results')];
  const ofRow = (elements: readonly Element[], index: number) =>
    elements.length === rows.length ? elements[index] : elements[0];
  if (rows.length === 0) return [toRow(undefined, identifiers[0], results[0])];
  return rows.map((row, index) => toRow(row, ofRow(identifiers, index), ofRow(results, index)));
}

function toRow(
  row: Element | undefined,
  identifiers: Element | undefined,
  results: Element | undefined,
): AggregateRow {
  const evaluated = row?.child('policy_evaluated');
  const spfResults = (results?.whole('spf') ?? []).map(spf => ({
    domain: spf.of('domain'),
    scope: spf.of('scope'),
    result: spf.of('result').toLowerCase(),
    humanResult: spf.of('human_result'),
  }));
  const dkimResults = (results?.whole('dkim') ?? []).map(dkim => ({
    domain: dkim.of('domain'),
    selector: dkim.of('selector'),
    result: dkim.of('result').toLowerCase(),
    humanResult: dkim.of('human_result'),
  }));
  return {
    sourceIp: row?.of('source_ip') ?? '',
    count: toInteger(row?.of('count')),
    disposition: evaluated?.of('disposition') ?? '',
    dkim: evaluated?.of('dkim') ?? '',
    spf: evaluated?.of('spf') ?? '',
    headerFrom: identifiers?.of('header_from') ?? '',
    envelopeFrom: identifiers?.of('envelope_from') || (spfResults.at(-1)?.domain ?? ''),
    envelopeTo: identifiers?.of('envelope_to') ?? '',
    overrideReasons: (evaluated?.whole('reason') ?? []).map(toReason).filter(saysAnything),
    dkimResults: dkimResults.filter(saysAnything),
    spfResults: spfResults.filter(saysAnything),
  };
}

/** Parses a policy override reason. Some reporters write its type or comment as plain text. */
function toReason(reason: Element): { type: string; comment: string } {
  const [type, comment] = [reason.of('type'), reason.of('comment')];
  if (type !== '' || reason.text === '') return { type, comment };
  return /^[\w-]+$/.test(reason.text)
    ? { type: reason.text, comment }
    : { type, comment: comment || reason.text };
}

function saysAnything(result: Record<string, string>): boolean {
  return Object.values(result).some(text => text !== '');
}
