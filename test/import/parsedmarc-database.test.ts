import { readFile } from 'node:fs/promises';
import type { Parameter } from '@sightline/pg-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ExpectedRow,
  type ParsedmarcJson,
  toJson,
  toXml,
} from '../../packages/importer/test/parsedmarc-forms.ts';
import { ids, importBytes } from '../../packages/importer/test/reports.ts';
import { createDatabase } from '../support/database.ts';
import { connectOperator, type Operator } from '../support/operator.ts';

/** The tables for reports of parsedmarc 10 (`parsedmarc/postgres.py`). */
const TABLES = `
  create table dmarc_aggregate_report (id bigserial primary key, org_name text, org_email text, generator text,
    report_id text, begin_date timestamptz, end_date timestamptz, domain text, adkim text, aspf text, policy text,
    subdomain_policy text, pct text, fo text, np text, testing text, discovery_method text);
  create table dmarc_aggregate_record (id bigserial primary key, report_id bigint, interval_begin timestamptz,
    interval_end timestamptz, source_ip_address inet, source_country text, source_reverse_dns text,
    source_name text, message_count integer, disposition text, policy_dkim text, policy_spf text,
    header_from text, envelope_from text, envelope_to text);
  create table dmarc_aggregate_record_dkim (id bigserial primary key, record_id bigint, domain text, selector text,
    result text, human_result text);
  create table dmarc_aggregate_record_spf (id bigserial primary key, record_id bigint, domain text, scope text,
    result text, human_result text);
  create table dmarc_aggregate_record_policy_override (id bigserial primary key, record_id bigint,
    override_type text, comment text);
  create table smtp_tls_report (id bigserial primary key, organization_name text, begin_date timestamptz,
    end_date timestamptz, contact_info text, report_id text);
  create table smtp_tls_policy (id bigserial primary key, report_id bigint, policy_domain text, policy_type text,
    policy_strings text[], mx_host_patterns text[], successful_session_count integer, failed_session_count integer);
  create table smtp_tls_failure_detail (id bigserial primary key, policy_id bigint, result_type text,
    failed_session_count integer, sending_mta_ip inet, receiving_ip inet, receiving_mx_hostname text,
    receiving_mx_helo text, additional_info_uri text, failure_reason_code text)`;

let sql: Operator;
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
  sql = connectOperator(database.directUrl);
  await sql.query(TABLES);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Inserts a row and returns its id. */
async function insert(table: string, values: Record<string, Parameter>): Promise<string> {
  const columns = Object.keys(values);
  const places = columns.map((_, place) => `$${place + 1}`);
  const [row] = await sql.query<{ id: string }>(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) returning id`,
    Object.values(values),
  );
  return row!.id;
}

/** Stores a report as parsedmarc does. */
async function save({
  report_metadata: metadata,
  policy_published: policy,
  records,
}: ParsedmarcJson): Promise<void> {
  const { p, sp, pct, domain, adkim, aspf } = policy;
  const saved = await insert('dmarc_aggregate_report', {
    ...metadata,
    ...{ begin_date: `${metadata.begin_date}+00`, end_date: `${metadata.end_date}+00` },
    ...{ domain, adkim, aspf, policy: p, subdomain_policy: sp, pct },
  });
  for (const { source, auth_results, policy_evaluated, identifiers, ...record } of records) {
    const row = await insert('dmarc_aggregate_record', {
      report_id: saved,
      interval_begin: `${record.interval_begin}+00`,
      interval_end: `${record.interval_end}+00`,
      source_ip_address: source.ip_address,
      source_country: source.country,
      source_name: source.as_name,
      message_count: record.count,
      disposition: policy_evaluated.disposition,
      policy_dkim: policy_evaluated.dkim,
      policy_spf: policy_evaluated.spf,
      ...identifiers,
    });
    const of = { record_id: row };
    for (const dkim of auth_results.dkim) await insert('dmarc_aggregate_record_dkim', { ...of, ...dkim });
    for (const spf of auth_results.spf) await insert('dmarc_aggregate_record_spf', { ...of, ...spf });
    for (const { type, comment } of policy_evaluated.policy_override_reasons)
      await insert('dmarc_aggregate_record_policy_override', { ...of, override_type: type, comment });
  }
}

/** Returns the lines that `psql -qAt -f packaging/parsedmarc/reports.sql` prints. */
async function exported(): Promise<string> {
  const query = await readFile(new URL('../../packaging/parsedmarc/reports.sql', import.meta.url), 'utf8');
  const rows = await sql.query(
    `select line::text as line from (${query.replace(';', '')}) as reports (line)`,
  );
  return rows.map(({ line }) => `${line}\n`).join('');
}

it('exports reports from the parsedmarc database with the same ids as their mails', async () => {
  const row: ExpectedRow = {
    // PostgreSQL returns addresses in their shortest form.
    address: '2001:DB8:0::1',
    count: 12,
    disposition: 'reject',
    dkimPasses: true,
    spfPasses: false,
    from: 'shop.example',
    signatures: [
      { domain: 'Shop.example', selector: 's1', result: 'pass' },
      { domain: 'esp.example', selector: 's2', result: 'fail' },
    ],
    reasons: [{ type: 'other', comment: 'one | two, three' }],
  };
  const reports = [
    { id: 'one', rows: [row, { ...row, signatures: [], reasons: [] }, row] },
    { id: 'long', rows: [row] },
  ];
  const [one, long] = reports.map(toJson) as [ParsedmarcJson, ParsedmarcJson];
  await save(one);
  const split = (count: number, begin: string, end: string) => ({
    ...long.records[0]!,
    count,
    interval_begin: long.records[0]!.interval_begin.replace('00:00:00', begin),
    interval_end: long.records[0]!.interval_end.replace('23:59:59', end),
  });
  await save({ ...long, records: [split(7, '00:00:00', '11:59:59'), split(5, '12:00:00', '23:59:59')] });
  const [tls] =
    await sql`insert into smtp_tls_report (organization_name, begin_date, end_date, contact_info, report_id)
    select org_name, begin_date, end_date, 'tls@receiver.example', 't' from dmarc_aggregate_report limit 1
    returning id, begin_date, end_date`;
  const [policy] = await sql`
    insert into smtp_tls_policy (report_id, policy_domain, policy_type, policy_strings, mx_host_patterns,
      successful_session_count, failed_session_count)
    values (${tls!.id}, 'shop.example', 'sts', array['mode: enforce'], '{}', 3, 1) returning id`;
  await sql`insert into smtp_tls_failure_detail (policy_id, result_type, failed_session_count, sending_mta_ip)
    values (${policy!.id}, 'certificate-expired', 1, '2001:DB8:0::9')`;
  const mailed = {
    'organization-name': 'receiver.example',
    'date-range': { 'start-datetime': tls!.begin_date, 'end-datetime': tls!.end_date },
    'report-id': 't',
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-domain': 'shop.example', 'policy-string': ['mode: enforce'] },
        summary: { 'total-successful-session-count': 3, 'total-failure-session-count': 1 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'failed-session-count': 1,
            'sending-mta-ip': '2001:DB8:0::9',
          },
        ],
      },
    ],
  };

  const found = await importBytes(await exported());
  const mails = await Promise.all(
    [...reports.map(toXml), JSON.stringify(mailed)].map(one => importBytes(one)),
  );
  expect([found.skipped, ids(found)]).toEqual([[], mails.flatMap(ids).sort()]);
});
