import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { type Bounds, DEFAULT_BOUNDS } from '../src/bounds.ts';
import type { ParseResult, SkippedPart } from '../src/finding.ts';
import { importItem } from '../src/import.ts';
import { createContext, type ImportOptions, type Item, OUTERMOST } from '../src/item.ts';
import type { KnownMails } from '../src/known-mails.ts';
import { FoundReports } from '../src/reports.ts';

/** Yesterday at midnight (UTC) in seconds. The importer rejects old reports. */
export const YESTERDAY = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of many types
export type Record = any;

export interface ImportResult {
  /** The lines of the feed by kind, without certificates. */
  records: Record[];
  /** Deletions of stored records that the new ones replace. */
  deleted: Record[];
  certificates: Record[];
  usage: Record[];
  /** The skipped parts, each as `place reason: detail`. */
  skipped: string[];
  /** The skipped reports that usage counts. */
  rejected: SkippedPart[];
  unstored: string[];
  items: number;
}

/** How the imports of tests read a mail, unless they say otherwise. */
export const USUAL_READING = {
  format: 'auto',
  action: 'enforced',
  stripQuery: false,
  bounds: DEFAULT_BOUNDS,
} as const;

type Overrides = Partial<Omit<ImportOptions, 'bounds'>> & {
  bounds?: Partial<Bounds>;
  seen?: KnownMails;
  now?: Date;
};

/** Imports bytes as if they were a file with this name. */
export async function importBytes(
  bytes: Uint8Array | string,
  { bounds, seen, now, ...options }: Overrides = {},
  item: Partial<Item> = {},
): Promise<ImportResult> {
  const context = createContext({
    accountId: 'a',
    ...USUAL_READING,
    ...options,
    bounds: { ...DEFAULT_BOUNDS, ...bounds },
  });
  if (seen) {
    context.seen = seen;
    context.copies.seen = seen;
  }
  if (now) context.reports = new FoundReports(context, now);
  const whole = {
    place: 'file',
    name: 'file',
    content: inParts(Buffer.from(bytes)),
    modified: (YESTERDAY + 3600) * 1000,
    nesting: OUTERMOST,
    ...item,
  };
  const findings: ParseResult[] = [];
  for await (const some of importItem(whole, context)) findings.push(...some);
  return { ...sorted(findings), items: context.counts.items };
}

function sorted(findings: readonly ParseResult[]): Omit<ImportResult, 'items'> {
  const lines = findings.flatMap(finding =>
    finding.kind === 'line' ? finding.text.split('\n').map(line => JSON.parse(line)) : [],
  );
  return {
    records: lines.filter(({ kind, deleted }) => kind === 'report' && !deleted),
    deleted: lines.filter(({ deleted }) => deleted),
    certificates: lines.filter(({ kind }) => kind === 'certificate'),
    usage: lines.filter(({ kind }) => kind === 'usage'),
    skipped: findings.flatMap(finding => {
      if (finding.kind !== 'skipped') return [];
      return [`${finding.place} ${finding.reason}${finding.detail && `: ${finding.detail}`}`];
    }),
    rejected: findings.filter(
      finding => finding.kind === 'skipped' && finding.rejected !== undefined,
    ) as SkippedPart[],
    unstored: findings.flatMap(finding => (finding.kind === 'unstored' ? [finding.type] : [])),
  };
}

/** Splits bytes into parts of a length that does not match any boundary in the input. */
export async function* inParts(bytes: Buffer, length = 997): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

export const ids = ({ records }: ImportResult) => records.map(({ id }) => id).sort();

export interface ReportRow {
  sourceIp?: string;
  count?: number | string;
  xml?: string;
}

export const recordXml = ({ sourceIp = '192.0.2.1', count = 1, xml }: ReportRow = {}) =>
  xml ??
  `<record><row><source_ip>${sourceIp}</source_ip><count>${count}</count><policy_evaluated>` +
    '<disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>' +
    '<identifiers><header_from>example.org</header_from><envelope_from>bounce.example.org</envelope_from></identifiers>' +
    '<auth_results><dkim><domain>example.org</domain><selector>s1</selector><result>pass</result></dkim>' +
    '<spf><domain>bounce.example.org</domain><scope>mfrom</scope><result>fail</result></spf></auth_results></record>';

export const metadataXml = (id = 'report-1', begin: number | string = YESTERDAY) =>
  '<report_metadata><org_name>Receiver.example</org_name><email>dmarc@receiver.example</email>' +
  `<report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${YESTERDAY + 86_399}</end></date_range></report_metadata>`;

export const policyXml =
  '<policy_published><domain>example.org</domain><adkim>r</adkim><aspf>s</aspf><p>quarantine</p><sp>none</sp><pct>100</pct></policy_published>';

/** Returns an aggregate report in XML. */
export const aggregateXml = (rows: readonly ReportRow[] = [{}], id?: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<feedback>${metadataXml(id)}${policyXml}${rows.map(recordXml).join('\n')}</feedback>\n`;

/** Returns a mail with attachments. */
export function mailWith(
  ...attachments: { bytes: Uint8Array | string; type?: string; name?: string }[]
): string {
  const parts = attachments.map(
    ({ bytes, type = 'application/octet-stream', name = 'report' }) =>
      `--part\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n` +
      `Content-Disposition: attachment; filename="${name}"\r\n\r\n` +
      `${Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
  );
  return (
    'From: dmarc@receiver.example\r\nTo: reports@example.org\r\nSubject: Report Domain: example.org\r\n' +
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="part"\r\n\r\n' +
    `--part\r\nContent-Type: text/plain\r\n\r\nThis is a report {see below}.\r\n${parts.join('')}--part--\r\n`
  );
}

export const toMbox = (...mails: readonly string[]) =>
  mails
    .map(mail => `From MAILER-DAEMON Sat Nov 21 10:00:00 2026\n${mail.replaceAll('\r\n', '\n')}\n`)
    .join('');

export interface ZipFile {
  name: string;
  bytes: Uint8Array | string;
  /** General purpose flags; bit 0 marks the file as encrypted. */
  flags?: number;
  stored?: boolean;
}

/** The fastest compression level, because no test depends on it. */
const QUICKLY = { level: 1 };

/** Returns a zip archive with its central directory. */
export function toZip(...files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, flags = 0, stored = false } of files) {
    const plain = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const packed = stored ? plain : deflateRawSync(plain, QUICKLY);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(stored ? 0 : 8, 4);
    shared.writeUInt32LE(crc32(plain), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(plain.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, end, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

export const gzip = (bytes: Uint8Array | string) => gzipSync(bytes, QUICKLY);
