import type { ParseResult } from '../finding.ts';
import { requireFormat } from '../format.ts';
import type { JsonSource } from '../json/source.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, toText, toTime } from '../values.ts';
import { certificateReport, readCertificate } from './certificate.ts';

/**
 * Reads a certstream message; returns undefined for anything else. Only `certificate_update` messages contain
 * certificates.
 * @throws {Unreadable}
 */
export function certstreamFindings(
  value: Record<string, unknown>,
  source: JsonSource,
): ParseResult[] | undefined {
  const { message_type: type, data } = value;
  if (typeof type !== 'string' || (!isObject(data) && type !== 'heartbeat')) return undefined;
  const { context } = source;
  requireFormat(context, 'certificate');
  if (type !== 'certificate_update' || !isObject(data)) return [];
  const leaf = isObject(data.leaf_cert) ? data.leaf_cert : {};
  const encoded = toText(leaf.as_der);
  if (encoded === '') throw new Unreadable('contains no certificate', 'as_der is missing');
  const certificate = readCertificate(Buffer.from(encoded, 'base64'));
  const seen = toTime(data.seen) ?? context.received ?? certificate.notBefore;
  const log = isObject(data.source) ? data.source : {};
  const name = toText(log.name) || toText(log.url);
  const logs = name === '' ? [] : [{ name, logId: '', timestamp: null }];
  const raw = JSON.stringify({
    ...value,
    data: { ...data, chain: undefined, leaf_cert: { ...leaf, as_der: undefined } },
  });
  const report = certificateReport(certificate, seen, logs, raw);
  return [context.reports.line(report), context.reports.certificate(certificate.sha256, certificate.pem)];
}
