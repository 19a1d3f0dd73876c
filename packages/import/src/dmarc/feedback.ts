import { integerOf, timeOf } from '../values.ts';
import { type AggregateReport, type AggregateRow, policyOf } from './aggregate.ts';
import type { Element } from './element.ts';

/** The report of `<report_metadata>` and the first `<policy_published>`. */
export function reportOf(metadata: Element | undefined, policy: Element | undefined): AggregateReport {
  const ofMetadata = (name: string) => metadata?.of(name) ?? '';
  const ofPolicy = (name: string) => policy?.of(name) ?? '';
  const email = ofMetadata('email');
  const range = metadata?.child('date_range');
  return {
    reporter: ofMetadata('org_name') || (email.split('@').at(-1) ?? ''),
    reporterEmail: email,
    reportId: ofMetadata('report_id').replace(/[<>]/g, '').trim(),
    generator: ofMetadata('generator'),
    begin: timeOf(range?.of('begin')),
    end: timeOf(range?.of('end')),
    domain: ofPolicy('domain'),
    policy: policyOf(ofPolicy),
  };
}

/** The row of a `<record>`. */
export function rowOf(record: Element): AggregateRow {
  const row = record.child('row');
  const evaluated = row?.child('policy_evaluated');
  const identifiers = record.child('identifiers', 'identities');
  const results = record.child('auth_results');
  const spfResults = (results?.all('spf') ?? []).map(spf => ({
    domain: spf.of('domain'),
    scope: spf.of('scope'),
    result: spf.of('result').toLowerCase(),
    humanResult: spf.of('human_result'),
  }));
  const dkimResults = (results?.all('dkim') ?? []).map(dkim => ({
    domain: dkim.of('domain'),
    selector: dkim.of('selector'),
    result: dkim.of('result').toLowerCase(),
    humanResult: dkim.of('human_result'),
  }));
  const overrideReasons = (evaluated?.all('reason') ?? []).map(reason => ({
    type: reason.of('type'),
    comment: reason.of('comment'),
  }));
  return {
    sourceIp: row?.of('source_ip') ?? '',
    count: integerOf(row?.of('count')),
    disposition: evaluated?.of('disposition') ?? '',
    dkim: evaluated?.of('dkim') ?? '',
    spf: evaluated?.of('spf') ?? '',
    headerFrom: identifiers?.of('header_from') ?? '',
    envelopeFrom: identifiers?.of('envelope_from') || (spfResults.at(-1)?.domain ?? ''),
    envelopeTo: identifiers?.of('envelope_to') ?? '',
    overrideReasons: overrideReasons.filter(saysAnything),
    dkimResults: dkimResults.filter(saysAnything),
    spfResults: spfResults.filter(saysAnything),
  };
}

function saysAnything(result: Record<string, string>): boolean {
  return Object.values(result).some(text => text !== '');
}
