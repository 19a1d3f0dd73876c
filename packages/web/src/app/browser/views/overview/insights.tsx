import { useState } from 'preact/hooks';
import { type Address, atPath, readAddress, withParams } from '../../address.ts';
import { count, listInWords, longDay, plural, revealControlCharacters, share } from '../../format.ts';
import { FirstReport } from '../../parts/first-report.tsx';
import { Link } from '../../parts/link.tsx';
import { periodLabel } from '../../period.ts';
import { findView, REPORT_TYPES } from '../../report-types.ts';
import { isNoise } from '../../tables.generated.ts';
import { type OverviewAccount, type OverviewInsight, toKey } from './data.ts';
import { Decision, DismissForm, isDismissed } from './dismiss.tsx';

/** Number of insights that are shown before the list is expanded. */
const FIRST = 12;

/** The list of insights, the most urgent first. */
export function Insights({ account, address }: { account: OverviewAccount; address: Address }) {
  const [isWhole, setWhole] = useState(false);
  if (!hasReports(account)) return <FirstSteps address={address} />;
  const insights = account.insights ?? [];
  const dismissed = insights.filter(isDismissed);
  const left = insights.filter(insight => !isDismissed(insight));
  const shown = isWhole ? [...left, ...dismissed] : left.slice(0, FIRST);
  const hidden = insights.length - shown.length;
  return (
    <section class="panel wide" aria-label="Insights">
      <h2>Insights</h2>
      {account.insights === null && <p class="quiet">Insights could not be loaded. Reload to try again.</p>}
      {account.insights?.length === 0 && <Nothing account={account} address={address} />}
      <Learning account={account} />
      <ul class="insights">
        {shown.map(insight => (
          <InsightItem key={insight.id} insight={insight} address={address} />
        ))}
      </ul>
      {(hidden > 0 || isWhole) && (
        <p class="more-groups">
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show ${count(hidden)} more`}
          </button>{' '}
          {dismissed.length > 0 && (
            <span class="quiet">{plural(dismissed.length, 'insight')} dismissed by the team</span>
          )}
        </p>
      )}
      <Noise account={account} address={address} />
    </section>
  );
}

/** The message for an account without insights. It names the report types that were analysed. */
function Nothing({ account: { insightCoverage }, address }: { account: OverviewAccount; address: Address }) {
  const types = (insightCoverage?.types ?? []).filter(({ reports }) => reports > 0);
  const reports = types.reduce((sum, type) => sum + type.reports, 0);
  const parts = types.map(({ type, reports }) => `${count(reports)} ${findView(type)?.label ?? type}`);
  return (
    <p class="quiet">
      No rule found anything in {plural(reports, 'report')} ({periodLabel(address)})
      {types.length > 0 && `: ${listInWords(parts)}`}. Browser noise is left out.
    </p>
  );
}

/** A note for new accounts, whose history is too short to find anything unusual. */
function Learning({ account: { insightCoverage } }: { account: OverviewAccount }) {
  const young = (insightCoverage?.types ?? []).flatMap(({ type, learningUntil }) =>
    learningUntil ? [{ label: findView(type)?.label ?? type, learningUntil }] : [],
  );
  if (young.length === 0) return null;
  const last = young
    .map(({ learningUntil }) => learningUntil)
    .sort()
    .at(-1)!;
  const isAll = young.length === insightCoverage!.types.length;
  return (
    <p class="notice">
      <strong>Learning until {longDay(last)}.</strong> {isAll ? 'All reports are' : 'Reports of '}
      {!isAll && listInWords(young.map(({ label }) => label))}
      {!isAll && ' are'} less than a week old. Until then, nothing in them counts as new or unusual.
    </p>
  );
}

const URGENT: ReadonlySet<string> = new Set(['threat', 'incident']);

function InsightItem({ insight, address }: { insight: OverviewInsight; address: Address }) {
  const { kind, severity, state, title, detail, subject, link } = insight;
  const [isDismissing, setDismissing] = useState(false);
  const to = findPlace(link, address);
  const view = findView(to.path[0]);
  const capitalize = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`;
  return (
    <li class={isDismissed(insight) ? 'aside' : undefined}>
      <span class={`kind ${URGENT.has(severity) ? 'urgent' : ''}`} title={kind}>
        {capitalize(severity)}
      </span>
      <div>
        <Link to={to}>
          <bdi>{revealControlCharacters(title)}</bdi>
        </Link>
        <p class="quiet">
          <bdi>{revealControlCharacters(detail)}</bdi>
        </p>
        <Decision insight={insight} />
        <p class="insight-actions">
          <span class="quiet">{capitalize(state)}</span>
          {view && to.path.length === 1 && (
            <Link
              to={{ ...to, path: [view.type, 'reports'] }}
              label={`The reports: ${revealControlCharacters(title)}`}
            >
              The reports
            </Link>
          )}
          {kind === 'manyNewHosts' && subject !== '' && (
            <Link
              to={withParams(atPath(address, ['csp']), {
                'not.blockedHostnames': [subject, `*.${subject}`],
              })}
              label={`Exclude ${revealControlCharacters(subject)}`}
            >
              Exclude
            </Link>
          )}
          {!isDismissed(insight) && (
            <button
              type="button"
              class="link"
              aria-expanded={isDismissing}
              onClick={() => setDismissing(!isDismissing)}
              aria-label={`Dismiss: ${revealControlCharacters(title)}`}
            >
              Dismiss
            </button>
          )}
        </p>
        {isDismissing && !isDismissed(insight) && <DismissForm insight={insight} />}
      </div>
    </li>
  );
}

/** Converts a link of the service, `/app#/csp?period=7d`, to an address in this account. */
function findPlace(link: string, address: Address): Address {
  const { path, params } = readAddress(link.slice(link.indexOf('#')));
  return withParams({ path, params }, { account: address.params.get('account') ?? undefined });
}

/** The share of noise: reports caused by visitors' browsers and extensions, which need no action. */
function Noise({ account: { sources }, address }: { account: OverviewAccount; address: Address }) {
  const noise = (sources?.groups ?? [])
    .filter(group => isNoise(toKey(group)))
    .reduce((sum, group) => sum + group.count, 0);
  if (!sources || noise === 0) return null;
  return (
    <p class="quiet noise-line">
      {share(noise, sources.totalCount)} of the CSP reports are noise from visitors' browsers and extensions,
      or concern what the site allows.{' '}
      <Link to={withParams(atPath(address, ['csp']), { noise: 'hidden' })}>Hide them</Link>
    </p>
  );
}

/** The setup steps for an account without reports. */
function FirstSteps({ address }: { address: Address }) {
  return (
    <section class="panel wide" aria-label="First steps">
      <h2>No reports yet</h2>
      <ol>
        <li>
          <Link to={atPath(address, ['setup'])}>Setup</Link> lists headers for your sites, DNS records, and
          commands for this account. Once the headers and records are in place, browsers and mail servers send
          reports.
        </li>
        <li>
          Load reports that you already have, in mailboxes, archives or logs, with{' '}
          <code>sightline import</code>.
        </li>
        <li>This page shows them as soon as they are loaded. Mail servers send theirs once a day.</li>
      </ol>
      <FirstReport address={address} />
    </section>
  );
}

/** Checks whether there are reports in the period or before it. */
function hasReports({ days, sources, mail, issuers }: OverviewAccount): boolean {
  const groups = [sources, mail, issuers].some(rows => (rows?.totalCount ?? 0) > 0);
  return groups || days.some(day => REPORT_TYPES.some(({ type }) => day[type] > 0));
}
