import { useState } from 'preact/hooks';
import { type Address, changed, elsewhere, readAddress } from '../../address.ts';
import { count, plural, revealed, share } from '../../format.ts';
import { FirstReport } from '../../parts/first-report.tsx';
import { Link } from '../../parts/link.tsx';
import { REPORT_TYPES, viewOf } from '../../report-types.ts';
import { isNoise } from '../../tables.generated.ts';
import { useAside } from './aside.ts';
import { type Account, DAYS, keyOf } from './data.ts';

type Sign = NonNullable<Account['signs']>[number];

/** As many are shown until all are asked for. */
const FIRST = 12;

/** The signs that the service tells, the most urgent first: things that were not so before. */
export function WorthALook({ account, address }: { account: Account; address: Address }) {
  const aside = useAside();
  const [isWhole, setWhole] = useState(false);
  if (!hasReports(account)) return <FirstSteps address={address} />;
  const signs = account.signs ?? [];
  const [put, left] = [signs.filter(({ id }) => aside.has(id)), signs.filter(({ id }) => !aside.has(id))];
  const shown = isWhole ? [...left, ...put] : left.slice(0, FIRST);
  const hidden = signs.length - shown.length;
  return (
    <section class="panel wide" aria-label="Worth a look">
      <h2>Worth a look</h2>
      {account.signs === null && <p class="quiet">It could not be looked for signs. Reload to try again.</p>}
      {account.signs?.length === 0 && <p class="quiet">In seven days nothing came that was not so before.</p>}
      <ul class="signs">
        {shown.map(sign => (
          <SignItem
            key={sign.id}
            sign={sign}
            address={address}
            isAside={aside.has(sign.id)}
            toggle={() => aside.toggle(sign.id)}
          />
        ))}
      </ul>
      {(hidden > 0 || isWhole) && (
        <p class="more-groups">
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show ${count(hidden)} more`}
          </button>{' '}
          {put.length > 0 && (
            <span class="quiet">{plural(put.length, 'sign')} put aside in this browser</span>
          )}
        </p>
      )}
      <Noise account={account} address={address} />
    </section>
  );
}

interface ItemProps {
  sign: Sign;
  address: Address;
  isAside: boolean;
  toggle(): void;
}

const URGENT: ReadonlySet<string> = new Set(['threat', 'incident']);

function SignItem({ sign: { kind, severity, title, detail, link }, address, isAside, toggle }: ItemProps) {
  const to = placeOf(link, address);
  const view = viewOf(to.path[0]);
  const words = `${severity[0]!.toUpperCase()}${severity.slice(1)}`;
  return (
    <li class={isAside ? 'aside' : undefined}>
      <span class={`kind ${URGENT.has(severity) ? 'urgent' : ''}`} title={kind}>
        {words}
      </span>
      <div>
        <Link to={to}>
          <bdi>{revealed(title)}</bdi>
        </Link>
        <p class="quiet">
          <bdi>{revealed(detail)}</bdi>
        </p>
        <p class="sign-actions">
          {view && to.path.length === 1 && (
            <Link to={{ ...to, path: [view.type, 'reports'] }} label={`The reports: ${revealed(title)}`}>
              The reports
            </Link>
          )}
          <button
            type="button"
            class="link"
            onClick={toggle}
            aria-label={`${isAside ? 'Take back' : 'Put aside'}: ${revealed(title)}`}
          >
            {isAside ? 'Take back' : 'Put aside'}
          </button>
        </p>
      </div>
    </li>
  );
}

/** The place of a link of the service, `/app#/csp?period=7d`, in this account. */
function placeOf(link: string, address: Address): Address {
  const { path, params } = readAddress(link.slice(link.indexOf('#')));
  return changed({ path, params }, { account: address.params.get('account') ?? undefined });
}

/** The share of reports that browsers and extensions of visitors cause: nothing to look at, and good to know. */
function Noise({ account: { sources }, address }: { account: Account; address: Address }) {
  const noise = (sources?.groups ?? [])
    .filter(group => isNoise(keyOf(group)))
    .reduce((sum, group) => sum + group.count, 0);
  if (!sources || noise === 0) return null;
  return (
    <p class="quiet noise-line">
      {share(noise, sources.totalCount)} of the CSP reports of {DAYS} days are noise of visitors' browsers and
      extensions, or of what the site allows.{' '}
      <Link to={changed(elsewhere(address, ['csp']), { noise: 'hidden' })}>Without them</Link>
    </p>
  );
}

/** Silence is no health: an account without reports is told how they come. */
function FirstSteps({ address }: { address: Address }) {
  return (
    <section class="panel wide" aria-label="First steps">
      <h2>No reports yet</h2>
      <ol>
        <li>
          <Link to={elsewhere(address, ['setup'])}>Setup</Link> has headers for your sites, records for DNS,
          and commands with the name of this account. With headers and records, browsers and mail servers send
          reports.
        </li>
        <li>
          Reports that you have already, in mailboxes, archives or logs, come in by{' '}
          <code>sightline import</code>.
        </li>
        <li>This page shows them as soon as they are loaded. Mail servers send theirs once a day.</li>
      </ol>
      <FirstReport address={address} />
    </section>
  );
}

/** True if any report came in thirty days. */
function hasReports({ lastSevenDays, sources, mail, issuers }: Account): boolean {
  const groups = [sources, mail, issuers].some(rows => (rows?.totalCount ?? 0) > 0);
  return groups || lastSevenDays.some(day => REPORT_TYPES.some(({ type }) => day[type] > 0));
}
