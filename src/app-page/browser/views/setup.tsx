import { useState } from 'preact/hooks';
import { Copy } from '../../../pages/browser/copy.tsx';
import { answering } from '../answering.tsx';
import { SetupDocument, type SetupQuery } from '../documents/documents.generated.ts';
import { Empty } from '../parts/states.tsx';
import type { Answer } from '../use-answer.ts';
import { headerLines, SERVER_FORMS, type ServerForm } from './server-forms.ts';

type Setup = NonNullable<NonNullable<SetupQuery['account']>['setup']>;

type Variables = { account: string };

/** What to paste into a site's headers and DNS so that reports come. */
export const SetupView = answering<SetupQuery, Variables>({
  document: SetupDocument,
  ask: (_, account) => ({ account }),
  Head,
  Show,
});

function Head() {
  return (
    <header class="view">
      <h1>Setup</h1>
      <p>What to add to your sites and to DNS, so that browsers and mail servers send reports.</p>
    </header>
  );
}

function Show({ data: { account }, variables }: Answer<SetupQuery, Variables>) {
  const word = shellWord(variables.account);
  return (
    <>
      {account?.setup ? (
        <Snippets setup={account.setup} />
      ) : (
        <Empty>No address for reports was set up for this account.</Empty>
      )}
      <Snippet
        title="Reports from elsewhere"
        about="The operator of the service imports mailboxes, archives, logs, certificates and exports of other collectors. What an item is, its content says."
        text={[
          `sightline import --account ${word} ~/Maildir dmarc.zip access.log.gz`,
          `sightline import --account ${word} --watch /var/spool/reports`,
          'sightline import --help',
        ].join('\n')}
      />
    </>
  );
}

function Snippets({ setup }: { setup: Setup }) {
  const { reportUri, reportingApi, nel, dmarc, tlsRpt } = setup;
  const { group, max_age, endpoints, include_subdomains } = reportingApi;
  const endpoint = endpoints[0]?.url ?? '';
  const [form, setForm] = useState<ServerForm>('headers');
  const lines = (...headers: [string, string][]) => headerLines(headers, form);
  return (
    <>
      <p class="server-form">
        <label class="select">
          Headers as lines for{' '}
          <select value={form} onChange={event => setForm(event.currentTarget.value as ServerForm)}>
            {SERVER_FORMS.map(one => (
              <option key={one} value={one}>
                {one === 'headers' ? 'any server' : one}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Snippet
        title="Where browsers send reports"
        about="Response headers for every page. All that follow name this group."
        text={lines(
          ['Reporting-Endpoints', `${group}="${endpoint}"`],
          ['Report-To', JSON.stringify({ group, max_age, endpoints, include_subdomains })],
        )}
      />
      <Snippet
        title="Content Security Policy, to try"
        about="It blocks nothing, and reports what it would block. Begin with this one."
        text={lines([
          'Content-Security-Policy-Report-Only',
          `default-src 'self'; report-uri ${reportUri.reportOnly}; report-to ${group}`,
        ])}
      />
      <Snippet
        title="Content Security Policy, enforced"
        warning="It blocks all that is not named: as it stands, it breaks most sites. Put in what the reports of the first have shown, and then enforce it."
        text={lines([
          'Content-Security-Policy',
          `default-src 'self'; report-uri ${reportUri.enforce}; report-to ${group}`,
        ])}
      />
      <Snippet
        title="CSP Wizard"
        about="Reports everything, and so finds out which policy the site needs."
        text={lines([
          'Content-Security-Policy-Report-Only',
          `default-src 'none'; form-action 'none'; frame-ancestors 'none'; report-uri ${reportUri.wizard}`,
        ])}
      />
      <Snippet
        title="Network errors (NEL)"
        about="A response header."
        text={lines(['NEL', JSON.stringify(nel)])}
      />
      <Snippet
        title="Isolation and integrity, to try"
        about="COEP, COOP, Integrity Policy and Permissions Policy. These report, and block nothing."
        text={lines(
          ['Cross-Origin-Embedder-Policy-Report-Only', `require-corp; report-to="${group}"`],
          ['Cross-Origin-Opener-Policy-Report-Only', `same-origin; report-to="${group}"`],
          ['Integrity-Policy-Report-Only', `blocked-destinations=(script style), endpoints=(${group})`],
          [
            'Permissions-Policy-Report-Only',
            `camera=();report-to=${group}, geolocation=();report-to=${group}`,
          ],
        )}
      />
      <Snippet
        title="DMARC"
        about="A TXT record at _dmarc of your domain."
        text={`_dmarc IN TXT "v=DMARC1; p=none; rua=${mailto(dmarc)}"`}
      />
      <Snippet
        title="TLS-RPT"
        about="A TXT record at _smtp._tls of your domain."
        text={`_smtp._tls IN TXT "v=TLSRPTv1; rua=${mailto(tlsRpt)}"`}
      />
    </>
  );
}

function mailto(address: string): string {
  return /^(mailto|https):/.test(address) ? address : `mailto:${address}`;
}

interface SnippetProps {
  title: string;
  about?: string;
  warning?: string;
  text: string;
}

function Snippet({ title, about, warning, text }: SnippetProps) {
  return (
    <section class="panel wide" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        <Copy text={text} label="Copy" />
      </div>
      {about && <p class="quiet">{about}</p>}
      {warning && <p class="warn">{warning}</p>}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

/** What a shell takes for one word and nothing else. */
function shellWord(text: string): string {
  return /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
