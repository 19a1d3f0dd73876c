import { reportingHeaders } from '@sightline/collector/headers';
import { useState } from 'preact/hooks';
import { Copy } from '../../../browser/copy.tsx';
import { SetupDocument, type SetupQuery } from '../documents/documents.generated.ts';
import { FirstReport, getSearchStart, typeArrived } from '../parts/first-report.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { createQueryView } from '../query-view.tsx';
import type { QueryAnswer } from '../use-answer.ts';
import { headerLines, SERVER_FORMS, type ServerForm } from './server-forms.ts';

type Setup = NonNullable<NonNullable<SetupQuery['account']>['setup']>;

type Variables = { account: string; from: string };

/** The headers and DNS records with which browsers and mail servers send reports. */
export const SetupView = createQueryView<SetupQuery, Variables>({
  document: SetupDocument,
  ask: (_, account) => ({ account, from: getSearchStart() }),
  Head: () => (
    <ViewHead title="Setup">
      What to add to your sites and to DNS, so that browsers and mail servers send reports.
    </ViewHead>
  ),
  Show,
});

function Show({ data: { account }, variables, address }: QueryAnswer<SetupQuery, Variables>) {
  // State, so that the message about the first report stays visible after a refresh.
  const [isWaiting] = useState(account != null && !typeArrived(account));
  const { setup } = account ?? {};
  const hasBrowsers = (setup?.reportingApi.endpoints.length ?? 0) > 0;
  return (
    <>
      {isWaiting && <FirstReport address={address} />}
      {setup && hasBrowsers && <BrowserSnippets setup={setup} />}
      {setup && <MailSnippets setup={setup} />}
      {!hasBrowsers && <Collect account={shellWord(variables.account)} />}
      <Import account={shellWord(variables.account)} />
    </>
  );
}

/** Explains how to create a reporting endpoint for browsers, for accounts without one. */
function Collect({ account }: { account: string }) {
  return (
    <Snippet
      title="Reports of browsers"
      about="This account has no address for browser reports yet. The operator of the service creates one, and the headers that name it."
      text={[
        `sightline collect token create --account ${account} --host shop.example`,
        `sightline collect headers --account ${account} --url ADDRESS`,
      ].join('\n')}
    />
  );
}

function Import({ account }: { account: string }) {
  return (
    <Snippet
      title="Reports from elsewhere"
      about="The operator of the service imports mailboxes, archives, logs, certificates and exports of other collectors. The type of each item is detected from its content."
      text={[
        `sightline import --account ${account} ~/Maildir dmarc.zip access.log.gz`,
        `sightline import --account ${account} --watch /var/spool/reports`,
        'sightline import --help',
      ].join('\n')}
    />
  );
}

/** The headers grouped by purpose, each group with its explanation. */
const HEADERS: readonly [title: string, names: readonly string[], warning?: string][] = [
  ['Where browsers send reports', ['Reporting-Endpoints']],
  ['Content Security Policy, to try', ['Content-Security-Policy-Report-Only']],
  [
    'Content Security Policy, enforced',
    ['Content-Security-Policy'],
    'It blocks everything that it does not name, which breaks most sites. First add the sources that reports of the report-only policy show to be needed, and then enforce it.',
  ],
  ['Network errors (NEL)', ['Report-To', 'NEL']],
];

/** Report-only headers, which block nothing. */
const ISOLATION: readonly Header[] = [
  ['Cross-Origin-Embedder-Policy-Report-Only', 'require-corp; report-to="default"'],
  ['Cross-Origin-Opener-Policy-Report-Only', 'same-origin; report-to="default"'],
  ['Integrity-Policy-Report-Only', 'blocked-destinations=(script style), endpoints=(default)'],
  ['Permissions-Policy-Report-Only', 'camera=();report-to=default, geolocation=();report-to=default'],
];

type Header = readonly [name: string, value: string];

function BrowserSnippets({ setup: { reportUri, reportingApi } }: { setup: Setup }) {
  const [form, setForm] = useState<ServerForm>('headers');
  const { enforce, reportOnly, wizard } = reportUri;
  const headers = reportingHeaders(reportingApi.endpoints[0]!.url, { enforce, reportOnly });
  return (
    <>
      <p class="server-form">
        <label class="select">
          Headers formatted for{' '}
          <select value={form} onChange={event => setForm(event.currentTarget.value as ServerForm)}>
            {SERVER_FORMS.map(one => (
              <option key={one} value={one}>
                {one === 'headers' ? 'any server' : one}
              </option>
            ))}
          </select>
        </label>
      </p>
      {HEADERS.map(([title, names, warning]) => {
        const found = headers.filter(({ name }) => names.includes(name));
        const about = found.map(({ note }) => note).join(' ');
        const lines = found.map(({ name, value }): Header => [name, value]);
        return <Snippet key={title} {...{ title, about, warning }} text={headerLines(lines, form)} />;
      })}
      {wizard && (
        <Snippet
          title="CSP Wizard"
          about="Reports everything that the site loads, to find out which policy it needs."
          text={headerLines(
            [
              [
                'Content-Security-Policy-Report-Only',
                `default-src 'none'; form-action 'none'; frame-ancestors 'none'; report-uri ${wizard}`,
              ],
            ],
            form,
          )}
        />
      )}
      <Snippet
        title="Isolation and integrity, to try"
        about="COEP, COOP, Integrity Policy and Permissions Policy. These headers only report; they block nothing."
        text={headerLines(ISOLATION, form)}
      />
    </>
  );
}

function MailSnippets({ setup: { dmarc, tlsRpt } }: { setup: Setup }) {
  return (
    <>
      {dmarc && (
        <Snippet
          title="DMARC"
          about="A TXT record at _dmarc under your domain. Mail receivers then report once a day."
          text={`_dmarc IN TXT "v=DMARC1; p=none; rua=${mailto(dmarc)}"`}
        />
      )}
      {tlsRpt && (
        <Snippet
          title="TLS-RPT"
          about="A TXT record at _smtp._tls under your domain."
          text={`_smtp._tls IN TXT "v=TLSRPTv1; rua=${mailto(tlsRpt)}"`}
        />
      )}
    </>
  );
}

function mailto(address: string): string {
  return /^(mailto|https):/.test(address) ? address : `mailto:${address}`;
}

interface SnippetProps {
  title: string;
  about: string;
  warning?: string | undefined;
  text: string;
}

function Snippet({ title, about, warning, text }: SnippetProps) {
  return (
    <section class="panel wide" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        <Copy text={text} label="Copy" />
      </div>
      <p class="quiet">{about}</p>
      {warning && <p class="warn">{warning}</p>}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

/** Quotes a text as a single shell word. */
function shellWord(text: string): string {
  return /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
