import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Address, changed, elsewhere, formatAddress, useAddress } from './address.ts';
import type { Key } from './api.ts';
import { AccountNameDocument, type SessionQuery } from './documents/documents.generated.ts';
import { chipsOf, wrongIn } from './filters.ts';
import { plural, revealed } from './format.ts';
import { useKeptFocus } from './kept-focus.ts';
import { BadAddress } from './parts/bad-address.tsx';
import { Hatch } from './parts/bar-block.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Link } from './parts/link.tsx';
import { Empty } from './parts/states.tsx';
import { periodLabel } from './period.ts';
import { useMinutes } from './refresh.tsx';
import { REPORT_TYPES, viewOf } from './report-types.ts';
import { type Session, SessionContext, useAnswer } from './use-answer.ts';
import { Accounts } from './views/accounts.tsx';
import { Audit } from './views/audit.tsx';
import { Overview } from './views/overview/overview.tsx';
import { Policies } from './views/policies.tsx';
import { Report } from './views/report.tsx';
import { Reports } from './views/reports.tsx';
import { Search } from './views/search.tsx';
import { SetupView } from './views/setup.tsx';
import { TryPolicy } from './views/try-policy/try-policy.tsx';
import { TypeView } from './views/type/type.tsx';
import { Watches } from './views/watches.tsx';

interface Props {
  userKey: Key;
  viewer: SessionQuery['viewer'];
  signOut(reason?: string): void;
}

/** The frame around every view: where one is, and where one can go. */
export function Shell({ userKey, viewer, signOut }: Props) {
  const address = useAddress();
  const account = viewer?.id ?? address.params.get('account') ?? undefined;
  const { minutes, isOn, toggle, renew } = useMinutes();
  // The answers of this visitor go with the frame.
  const [answers] = useState<Session['answers']>(() => new Map());
  const isInternal = viewer === null;
  const session = { key: userKey, account: account ?? '', isInternal, minutes, renew, answers, signOut };
  return (
    <SessionContext.Provider value={session}>
      <Hatch />
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <header class="top">
        <strong class="brand">Sightline</strong>
        {viewer ? (
          <bdi class="who">{viewer.teamName ?? viewer.email}</bdi>
        ) : (
          account && <AccountName address={address} />
        )}
        {!viewer && account && <Link to={{ path: [], params: new URLSearchParams() }}>Other account</Link>}
        <span class="grow" />
        <button type="button" aria-pressed={isOn} onClick={toggle} title="Asks anew while the tab is in view">
          Refresh every minute
        </button>
        <a href="docs" target="_blank" rel="noopener">
          API
        </a>
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      {account === undefined ? (
        <main id="content" class="chooser">
          <Boundary place={formatAddress(address)} onFailure={() => answers.clear()}>
            <Accounts address={address} />
          </Boundary>
        </main>
      ) : (
        <div class="frame">
          <Navigation address={address} />
          <Content address={address}>
            <Boundary place={formatAddress(address)} onFailure={() => answers.clear()}>
              <View address={address} />
            </Boundary>
          </Content>
        </div>
      )}
    </SessionContext.Provider>
  );
}

/** The name of the account that an internal token looks at. */
function AccountName({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const { answer, isCurrent } = useAnswer(AccountNameDocument, { account }, address);
  const { teamName, email } = (isCurrent && answer?.data.account) || {};
  return <bdi class="who">{revealed(teamName ?? email ?? account)}</bdi>;
}

function skip(): void {
  document.getElementById('content')?.focus();
}

const OTHER_VIEWS: Readonly<Record<string, { label: string; show(address: Address): ComponentChildren }>> = {
  watches: { label: 'Watches', show: address => <Watches address={address} /> },
  policies: { label: 'Policies', show: address => <Policies address={address} /> },
  'try-policy': { label: 'Try a policy', show: address => <TryPolicy address={address} /> },
  audit: { label: 'Audit', show: address => <Audit address={address} /> },
  setup: { label: 'Setup', show: address => <SetupView address={address} /> },
};

/** Parameters that the next type of reports is looked at with: a visitor who looks at one host goes on with it. */
const STAYS = ['period', 'noise', 'hostnames'];

function Navigation({ address }: { address: Address }) {
  const [current = ''] = address.path;
  // On a phone the views stand behind a button, and go when one is chosen.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [address]);
  return (
    <nav aria-label="Views" class={isOpen ? 'open' : undefined}>
      <button
        type="button"
        class="views"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => event.key === 'Escape' && setOpen(false)}
      >
        Views
      </button>
      <Link to={elsewhere(address, [])} isCurrent={current === ''}>
        Overview
      </Link>
      <Link to={elsewhere(address, ['search'])} isCurrent={current === 'search'}>
        Search
      </Link>
      <span class="nav-head">Reports</span>
      {REPORT_TYPES.map(({ type, label }) => (
        <Link key={type} to={elsewhere(address, [type], STAYS)} isCurrent={current === type}>
          {label}
        </Link>
      ))}
      <span class="nav-head">Account</span>
      {Object.entries(OTHER_VIEWS).map(([name, { label }]) => (
        <Link key={name} to={elsewhere(address, [name])} isCurrent={current === name}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Another view gets the focus, so that a screen reader tells of it; another filter of the same view does not. */
function Content({ address, children }: { address: Address; children: ComponentChildren }) {
  const element = useRef<HTMLElement>(null);
  const place = address.path.join('/');
  const before = useRef(place);
  const title = titleOf(address);
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  useKeptFocus(element);
  const heights = useRef(new Map<string, number>());
  useEffect(() => {
    const note = () => heights.current.set(before.current, scrollY);
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
  // With the view, not after its first frame: a visitor who is on with the keyboard by then would lose their place.
  useLayoutEffect(() => {
    if (before.current === place) return;
    const isBack = before.current.startsWith(`${place}/`);
    before.current = place;
    element.current?.focus({ preventScroll: true });
    // From a report back to its list: to where the visitor was in it.
    scrollTo(0, isBack ? (heights.current.get(place) ?? 0) : 0);
  }, [place]);
  return (
    <main id="content" ref={element} tabIndex={-1}>
      {children}
    </main>
  );
}

/** Tabs are told apart by the period, and by whether filters are set. */
function titleOf(address: Address): string {
  const [name = '', list, id] = address.path;
  const view = viewOf(name);
  if (name === 'search') return 'Search';
  if (!view) return (Object.hasOwn(OTHER_VIEWS, name) ? OTHER_VIEWS[name]?.label : undefined) ?? 'Overview';
  if (id !== undefined) return `${view.one ?? view.label} report`;
  if (wrongIn(address, view).length > 0) return view.label;
  const filters = chipsOf(address).length;
  const parts = [`${view.label}${list ? ' reports' : ''}`, periodLabel(address)];
  return [...parts, ...(filters > 0 ? [plural(filters, 'filter')] : [])].join(', ');
}

function View({ address }: { address: Address }) {
  const [name, list, id] = address.path;
  if (name === undefined) return <Overview address={address} />;
  const view = viewOf(name);
  if (view && list === 'reports' && id !== undefined) return <Report address={address} />;
  if (view && (list === undefined || list === 'reports')) {
    const wrong = wrongIn(address, view);
    if (wrong.length > 0) return <BadAddress address={address} wrong={wrong} />;
    if (list === undefined) return <TypeView key={view.type} address={address} />;
    return <Reports key={view.type} address={address} />;
  }
  if (name === 'search') return <Search address={address} />;
  if (Object.hasOwn(OTHER_VIEWS, name)) return OTHER_VIEWS[name]!.show(address);
  return (
    <Empty>
      There is no such view. <Link to={changed(elsewhere(address, []), {})}>To the overview</Link>
    </Empty>
  );
}
