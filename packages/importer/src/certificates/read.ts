import { collect } from '../content.ts';
import { type ParseResult, toSkipped, toUnstored } from '../finding.ts';
import { requireFormat } from '../format.ts';
import type { Item, ItemContext, Sibling } from '../item.ts';
import { Unreadable } from '../unreadable.ts';
import { certificateReport, readCertificate, type SeenInLog } from './certificate.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;
const BEGIN = '-----BEGIN CERTIFICATE-----';

/** Number of certificates per batch of results. */
const AT_ONCE = 100;

/**
 * Reads one or more certificates in PEM (RFC 7468) or DER. If certspotter wrote the file, only the first certificate is
 * read.
 */
export async function* readCertificates(item: Item, context: ItemContext): AsyncGenerator<ParseResult[]> {
  requireFormat(context, 'certificate');
  const bytes = await collect(
    item.content,
    context.bounds.compressed,
    'is a file of certificates that is too large',
  );
  const all = bytes[0] === 0x30 ? [bytes] : certificatesIn(bytes.toString('latin1'));
  const certificates = item.sibling ? all.slice(0, 1) : all;
  if (certificates.length === 0) throw new Unreadable('is no certificate', 'it has no end');
  for (let start = 0; start < certificates.length; start += AT_ONCE) {
    yield certificates.slice(start, start + AT_ONCE).flatMap((der, index) => {
      const place =
        certificates.length === 1 ? item.place : `${item.place}, certificate ${start + index + 1}`;
      return readOne(der, place, item, context);
    });
  }
}

function certificatesIn(text: string): Buffer[] {
  const found = [...text.matchAll(BLOCK)].map(([, base64]) => Buffer.from(base64!, 'base64'));
  // A certificate without an end marker is reported as unreadable.
  const begun = text.split(BEGIN).length - 1;
  return [...found, ...Array.from({ length: Math.min(1, begun - found.length) }, () => Buffer.alloc(0))];
}

function readOne(der: Buffer, place: string, item: Item, context: ItemContext): ParseResult[] {
  const { reports, received, counts } = context;
  counts.items++;
  try {
    const certificate = readCertificate(der);
    if (certificate.isAuthority) return [toUnstored('authority certificate')];
    const { sibling } = item;
    const date = sibling ? item.modified : (received ?? certificate.notBefore);
    const raw = sibling?.json ?? certificate.pem;
    const found = reports.line(certificateReport(certificate, date, sibling ? listLogs(sibling) : [], raw));
    if (found.kind === 'unrouted') return [found];
    return [found, reports.certificate(certificate.sha256, certificate.pem)];
  } catch (error) {
    return [toSkipped(place, error)];
  }
}

/** Parses the log entries in certspotter's text file: `Log Entry = 4711 @ https://ct.example/2026/`. */
function listLogs({ text }: Sibling): SeenInLog[] {
  const name = /^\s*Log Entry\s*=\s*\d+\s*@\s*(\S+)/m.exec(text)?.[1];
  return name === undefined ? [] : [{ name, logId: '', timestamp: null }];
}
