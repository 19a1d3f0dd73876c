import { collect } from '../content.ts';
import { type Finding, notKept, skipped } from '../finding.ts';
import { requireFormat } from '../format.ts';
import type { Beside, Item, ItemContext } from '../item.ts';
import { Unreadable } from '../unreadable.ts';
import { certificateReport, readCertificate, type SeenInLog } from './certificate.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;
const BEGIN = '-----BEGIN CERTIFICATE-----';

/** Certificates that are read before what was found is handed on. */
const AT_ONCE = 100;

/** Reads certificates in PEM (RFC 7468) or DER, one or a bundle. Beside certspotter's files the first one counts. */
export async function* readCertificates(item: Item, context: ItemContext): AsyncGenerator<Finding[]> {
  requireFormat(context, 'certificate');
  const bytes = await collect(
    item.content,
    context.bounds.compressed,
    'is a file of certificates that is too large',
  );
  const all = bytes[0] === 0x30 ? [bytes] : certificatesIn(bytes.toString('latin1'));
  const certificates = item.beside ? all.slice(0, 1) : all;
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
  // One that is begun and not ended is told as one that cannot be read.
  const begun = text.split(BEGIN).length - 1;
  return [...found, ...Array.from({ length: Math.min(1, begun - found.length) }, () => Buffer.alloc(0))];
}

function readOne(der: Buffer, place: string, item: Item, context: ItemContext): Finding[] {
  const { reports, received, counts } = context;
  counts.items++;
  try {
    const certificate = readCertificate(der);
    if (certificate.isAuthority) return [notKept('authority certificate')];
    const { beside } = item;
    const date = beside ? item.modified : (received ?? certificate.notBefore);
    const raw = beside?.json ?? certificate.pem;
    const found = reports.line(certificateReport(certificate, date, beside ? logsOf(beside) : [], raw));
    if (found.kind === 'unrouted') return [found];
    return [found, reports.certificate(certificate.sha256, certificate.pem)];
  } catch (error) {
    return [skipped(place, error)];
  }
}

/** `Log Entry = 4711 @ https://ct.example/2026/` */
function logsOf({ text }: Beside): SeenInLog[] {
  const name = /^\s*Log Entry\s*=\s*\d+\s*@\s*(\S+)/m.exec(text)?.[1];
  return name === undefined ? [] : [{ name, logId: '', timestamp: null }];
}
