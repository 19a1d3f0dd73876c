import { type DayStart, type DemoFile, seconds, toGzip, toZip } from './file.ts';
import { attachFile, forwarded, mail, mbox } from './mails.ts';

const record = (sourceIp: string, count: number | string, extra = '') =>
  `  <record>
    <row>
      <source_ip>${sourceIp}</source_ip>
      <count>${count}</count>
      <policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>pass</spf>${extra}</policy_evaluated>
    </row>
    <identifiers><header_from>shop.example</header_from><envelope_from>shop.example</envelope_from></identifiers>
    <auth_results>
      <dkim><domain>shop.example</domain><selector>s1</selector><result>pass</result></dkim>
      <spf><domain>shop.example</domain><result>pass</result></spf>
    </auth_results>
  </record>`;

const metadata = (day: DayStart, id: string, org = '<org_name>receiver.example</org_name>') =>
  `  <report_metadata>
    ${org}<email>dmarc@receiver.example</email>
    <report_id>${id}</report_id>
    <date_range><begin>${seconds(day)}</begin><end>${seconds(day) + 86_399}</end></date_range>
  </report_metadata>`;

const POLICY =
  '  <policy_published><domain>shop.example</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p><pct>100</pct></policy_published>';

const feedback = (...parts: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<feedback>\n${parts.join('\n')}\n</feedback>\n`;

const report = (day: DayStart, id: string) =>
  feedback(metadata(day, id), POLICY, record('192.0.2.10', 12), record('198.51.100.7', 1));

/** Aggregate reports (RFC 7489 appendix C, RFC 9990) in all formats, with the variations that occur. */
export function dmarcFiles(day: DayStart): DemoFile[] {
  const gzip = (id: string) => toGzip(report(day, id));
  const zip = (id: string) => toZip(`receiver.example!shop.example!${id}.xml`, report(day, id));
  const files: Record<string, string | Uint8Array> = {
    'plain.xml': report(day, 'plain'),
    'report.xml.gz': gzip('gzip'),
    'report.xml.zip': zip('zip'),
    'behind-its-end.xml.gz': Buffer.concat([gzip('behind'), Buffer.from('\r\n--\r\nSent by a gateway\r\n')]),
    'a-zip-called-gzip.xml.gz': zip('a-zip'),
    'a-gzip-called-zip.zip': gzip('a-gzip'),
    'rfc9990.xml': rfc9990(day),
    'words.xml': report(day, 'words').replaceAll('>pass<', '>Pass<').replaceAll('>none<', '>NONE<'),
    'identities.xml': report(day, 'identities').replaceAll('identifiers>', 'identities>'),
    'without-results.xml': report(day, 'without-results').replace(
      /<auth_results>[\s\S]*?<\/auth_results>/g,
      '',
    ),
    'without-envelope.xml': report(day, 'without-envelope').replace(
      /<envelope_from>.*?<\/envelope_from>/g,
      '',
    ),
    'without-organisation.xml': feedback(metadata(day, 'without-org', ''), POLICY, record('192.0.2.10', 3)),
    'two-policies.xml': feedback(
      metadata(day, 'two'),
      POLICY,
      POLICY.replace('reject', 'none'),
      record('192.0.2.10', 1),
    ),
    'fractions.xml': report(day, 'fractions').replace(/(\d{10})</g, '$1.0<'),
    'angle-brackets.xml': report(day, '&lt;angle@receiver.example&gt;'),
    'behind-a-schema.xml': report(day, 'schema').replace(
      '<feedback>',
      '<xs:schema targetNamespace="x">\n<feedback>',
    ),
    'utf-16.xml': Buffer.from(`\u{feff}${report(day, 'utf-16')}`, 'utf16le'),
    'windows-1252.xml': Buffer.from(
      feedback(metadata(day, '1252', '<org_name>Empf\u{e4}nger</org_name>'), POLICY, record('192.0.2.10', 2)),
      'latin1',
    ),
    'byte-order-mark.xml': `\u{feff}${report(day, 'mark')}`,
    'mail.eml': mail(
      { to: 'dmarc' },
      attachFile(gzip('mail'), 'application/gzip', 'receiver.example!shop.example.xml.gz'),
    ),
    'octet-stream.eml': mail(
      { to: 'dmarc' },
      attachFile(zip('octets'), 'application/octet-stream', 'report'),
    ),
    'unused.eml': mail(
      { to: 'dmarc' },
      attachFile('unused', 'text/plain', 'unused'),
      attachFile(gzip('unused')),
    ),
    'twice-encoded.eml': mail({ to: 'dmarc' }, attachFile(Buffer.from(gzip('twice')).toString('base64'))),
    'long-name.eml': mail(
      { to: 'dmarc' },
      attachFile(zip('name'), 'application/zip', undefined, "UTF-8''r%C3%A9port.zip"),
    ),
    'forwarded.eml': mail({ to: 'dmarc' }, forwarded(mail({ to: 'dmarc' }, attachFile(gzip('forwarded'))))),
    'inbox.mbox': mbox(
      mail({ to: 'dmarc' }, attachFile(gzip('mbox-1'))),
      mail({ to: 'dmarc' }, attachFile(zip('mbox-2'))),
    ),
    'Maildir/cur/1.host:2,S': mail({ to: 'dmarc' }, attachFile(gzip('maildir-cur'))),
    'Maildir/new/2.host': mail({ to: 'dmarc' }, attachFile(zip('maildir-new'))),
    'Maildir/tmp/3.host': 'a mail that has not come in whole',
  };
  return Object.entries(files).map(([path, content]) => ({ path: `dmarc/${path}`, content }));
}

/** Files that are completely or partly unreadable. Each of them is reported. */
export function brokenFiles(day: DayStart): DemoFile[] {
  const whole = report(day, 'broken');
  const files: Record<string, string | Uint8Array> = {
    'no-address.xml': feedback(metadata(day, 'no-address'), POLICY, record('', 4), record('192.0.2.10', 5)),
    'ends-too-early.xml': report(day, 'too-early').slice(0, -90),
    'ends-too-early.xml.gz': toGzip(whole).subarray(0, 90),
    'doctype.xml': whole.replace('<feedback>', '<!DOCTYPE feedback [<!ENTITY a "aaaa">]>\n<feedback>'),
    'newsletter.eml': mail({ to: 'dmarc' }, attachFile('Nothing to report.', 'text/plain', 'news.txt')),
    'truncated.json': '{"csp-report": {"document-uri": "https://shop.example/", "violated-dir',
    'truncated.ndjson':
      '{"type":"crash","body":{}}\n{"type":"crash","bo\n{"type":"crash","age":1000,"body":{}}\n',
  };
  return Object.entries(files).map(([path, content]) => ({ path: `broken/${path}`, content }));
}

function rfc9990(day: DayStart): string {
  const policy =
    '<policy_published><domain>shop.example</domain><p>none</p><sp>none</sp><np>reject</np><testing>y</testing>' +
    '<discovery_method>treewalk</discovery_method></policy_published>';
  const reason = '<reason><type>policy_test_mode</type><comment>t=y</comment></reason>';
  return (
    '<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"><version>1.0</version>' +
    metadata(day, 'rfc9990').replace('</report_id>', '</report_id><generator>Mailer 2.1</generator>') +
    `${policy}${record('2001:db8::10', 8, reason).replace('>none<', '>pass<')}</d:feedback>`
  );
}
