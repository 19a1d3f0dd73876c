/** Mails that contain reports (RFC 5322, RFC 2045). */

export interface Headers {
  to: string;
  type?: string;
  /** Further lines. */
  more?: string;
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;

export function mail({ to, type = 'multipart/mixed', more = '' }: Headers, ...parts: string[]): string {
  // The boundary must differ from those of nested parts.
  const boundary = `=_sightline_${parts.reduce((sum, part) => sum + part.length, 0)}`;
  return (
    lines(
      'From: Reports <noreply@receiver.example>',
      `To: ${to}@shop.example`,
      'Subject: Report Domain: shop.example Submitter: receiver.example',
      'MIME-Version: 1.0',
      `Content-Type: ${type}; boundary="${boundary}"${more}`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=utf-8',
      '',
      'This is a report on mails of shop.example.',
    ) +
    parts.map(part => `--${boundary}\r\n${part}`).join('') +
    lines(`--${boundary}--`)
  );
}

/** @param encodedName a file name encoded as in RFC 2231, used instead of the plain one */
export function attachFile(
  content: string | Uint8Array,
  type = 'application/gzip',
  name = 'report.xml.gz',
  encodedName?: string,
): string {
  const encoded = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
  const fileName = encodedName === undefined ? `filename="${name}"` : `filename*=${encodedName}`;
  return lines(
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; ${fileName}`,
    '',
    encoded,
  );
}

export function forwarded(inner: string): string {
  return `Content-Type: message/rfc822\r\n\r\n${inner}\r\n`;
}

export function mbox(...mails: readonly string[]): string {
  return mails
    .map(inner => `From MAILER-DAEMON Sat Nov 21 10:00:00 2026\n${inner.replaceAll('\r\n', '\n')}\n`)
    .join('');
}
