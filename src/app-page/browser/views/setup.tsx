import { useContext } from 'preact/hooks';
import { Copy } from '../../../pages/browser/copy.tsx';
import { SetupDocument, type SetupQuery } from '../documents/documents.generated.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { SessionContext, useAnswer } from '../use-answer.ts';

type Setup = NonNullable<NonNullable<SetupQuery['account']>['setup']>;

/** What to paste into a site's headers and DNS so that reports come. */
export function SetupView() {
  const { account } = useContext(SessionContext);
  const variables = { account };
  const asked = useAnswer(SetupDocument, variables);
  return (
    <>
      <header class="view">
        <h1>Setup</h1>
        <p>What to add to your sites and to DNS, so that browsers and mail servers send reports.</p>
      </header>
      <Answered asked={asked}>
        {({ account }) =>
          account?.setup ? (
            <Snippets setup={account.setup} />
          ) : (
            <Empty>No address for reports was set up for this account.</Empty>
          )
        }
      </Answered>
      <Snippet
        title="Reports from elsewhere"
        about="The operator of the service imports mailboxes, archives, logs, certificates and exports of other collectors. What an item is, its content says."
        text={[
          `sightline import --account ${shellWord(account)} ~/Maildir dmarc.zip access.log.gz`,
          `sightline import --account ${shellWord(account)} --watch /var/spool/reports`,
          'sightline import --help',
        ].join('\n')}
      />
      <AsRequest document={SetupDocument} variables={variables} />
    </>
  );
}

function Snippets({ setup }: { setup: Setup }) {
  const { reportUri, reportingApi, nel, dmarc, tlsRpt } = setup;
  const { group, max_age, endpoints, include_subdomains } = reportingApi;
  const endpoint = endpoints[0]?.url ?? '';
  return (
    <>
      <Snippet
        title="Where browsers send reports"
        about="Response headers for every page."
        text={[
          `Reporting-Endpoints: ${group}="${endpoint}"`,
          `Report-To: ${JSON.stringify({ group, max_age, endpoints, include_subdomains })}`,
        ].join('\n')}
      />
      <Snippet
        title="Content Security Policy"
        about="Report first; enforce when what is left is what you want blocked."
        text={[
          `Content-Security-Policy-Report-Only: default-src 'self'; report-uri ${reportUri.reportOnly}; report-to ${group}`,
          `Content-Security-Policy: default-src 'self'; report-uri ${reportUri.enforce}; report-to ${group}`,
        ].join('\n')}
      />
      <Snippet
        title="CSP Wizard"
        about="Reports everything, and so finds out which policy the site needs."
        text={`Content-Security-Policy-Report-Only: default-src 'none'; form-action 'none'; frame-ancestors 'none'; report-uri ${reportUri.wizard}`}
      />
      <Snippet title="Network errors (NEL)" about="A response header." text={`NEL: ${JSON.stringify(nel)}`} />
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

function Snippet({ title, about, text }: { title: string; about: string; text: string }) {
  return (
    <section class="panel wide" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        <Copy text={text} label="Copy" />
      </div>
      <p class="quiet">{about}</p>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

/** What a shell takes for one word and nothing else. */
function shellWord(text: string): string {
  return /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
