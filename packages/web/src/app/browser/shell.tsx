import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Address, atPath, formatAddress, useAddress, withParams } from './address.ts';
import type { Key, Visitor } from './api.ts';
import { AccountNameDocument, type SessionQuery } from './documents/documents.generated.ts';
import { useExcluded } from './excluded.ts';
import { listChips, wrongIn } from './filters.ts';
import { plural, revealControlCharacters } from './format.ts';
import { BadAddress } from './parts/bad-address.tsx';
import { Hatch } from './parts/bar-block.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Link } from './parts/link.tsx';
import { SiteSwitch } from './parts/site-switch.tsx';
import { Empty } from './parts/states.tsx';
import { periodLabel } from './period.ts';
import { useMinutes } from './refresh.tsx';
import { findView, REPORT_TYPES } from './report-types.ts';
import { useStableFocus } from './stable-focus.ts';
import { type PageSession, SessionContext, useAnswer } from './use-answer.ts';
import { Accounts } from './views/accounts.tsx';
import { Audit } from './views/audit.tsx';
import { MailPolicy } from './views/mail-policy/mail-policy.tsx';
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
  /** The visitor, if identified by a proxy. */
  visitor?: Visitor;
  /** Returns to the selection of an account; undefined if there is only one. */
  leaveAccount?: (() => void) | undefined;
}

/** The frame around every view: header and navigation. */
export function Shell({ userKey, viewer, signOut, visitor, leaveAccount }: Props) {
  const address = useAddress();
  const account = viewer?.id ?? address.params.get('account') ?? undefined;
  const { minutes, isOn, toggle, renew } = useMinutes();
  // The cache is part of the frame, because its results belong to this visitor.
  const [answers] = useState<PageSession['answers']>(() => new Map());
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
        {leaveAccount && (
          <button type="button" onClick={leaveAccount}>
            Other account
          </button>
        )}
        <span class="grow" />
        {visitor && (
          <span class="quiet">
            Signed in as <bdi>{revealControlCharacters(visitor.user)}</bdi>
          </span>
        )}
        <button
          type="button"
          aria-pressed={isOn}
          onClick={toggle}
          title="Reloads the data while the tab is visible"
        >
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

/** The name of the selected account, for internal tokens. */
function AccountName({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const { answer, isCurrent } = useAnswer(AccountNameDocument, { account }, address);
  const { teamName, email } = (isCurrent && answer?.data.account) || {};
  return <bdi class="who">{revealControlCharacters(teamName ?? email ?? account)}</bdi>;
}

function skip(): void {
  document.getElementById('content')?.focus();
}

const OTHER_VIEWS: Readonly<Record<string, { label: string; show(address: Address): ComponentChildren }>> = {
  watches: { label: 'Watches', show: address => <Watches address={address} /> },
  policies: { label: 'Policies', show: address => <Policies address={address} /> },
  'try-policy': { label: 'Try a policy', show: address => <TryPolicy address={address} /> },
  'mail-policy': { label: 'Try a mail policy', show: address => <MailPolicy address={address} /> },
  audit: { label: 'Audit', show: address => <Audit address={address} /> },
  setup: { label: 'Setup', show: address => <SetupView address={address} /> },
};

/** Parameters that links to other report types keep, so that a visitor can follow a host through all types. */
const STAYS = ['period', 'noise', 'hostnames'];

function Navigation({ address }: { address: Address }) {
  const [current = ''] = address.path;
  // On phones, a button opens the navigation, and choosing a view closes it.
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
      <SiteSwitch address={address} />
      <Link to={atPath(address, [])} isCurrent={current === ''}>
        Overview
      </Link>
      <Link to={atPath(address, ['search'])} isCurrent={current === 'search'}>
        Search
      </Link>
      <span class="nav-head">Reports</span>
      {REPORT_TYPES.map(({ type, label }) => (
        <Link key={type} to={atPath(address, [type], STAYS)} isCurrent={current === type}>
          {label}
        </Link>
      ))}
      <span class="nav-head">Account</span>
      {Object.entries(OTHER_VIEWS).map(([name, { label }]) => (
        <Link key={name} to={atPath(address, [name])} isCurrent={current === name}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/**
 * The content area. It receives focus when the view changes, so that screen readers announce the view, but not when
 * only a filter changes.
 */
function Content({ address, children }: { address: Address; children: ComponentChildren }) {
  const element = useRef<HTMLElement>(null);
  const place = address.path.join('/');
  const before = useRef(place);
  const title = formatTitle(address);
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  useStableFocus(element);
  const heights = useRef(new Map<string, number>());
  useEffect(() => {
    const note = () => heights.current.set(before.current, scrollY);
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
  // Focus moves before the first paint of the view. Later, it could interrupt a keyboard user who has already moved on.
  useLayoutEffect(() => {
    if (before.current === place) return;
    const isBack = before.current.startsWith(`${place}/`);
    before.current = place;
    element.current?.focus({ preventScroll: true });
    // Going back from a report restores the scroll position of its list.
    scrollTo(0, isBack ? (heights.current.get(place) ?? 0) : 0);
  }, [place]);
  return (
    <main id="content" ref={element} tabIndex={-1}>
      {children}
    </main>
  );
}

/**
 * Returns the title of the tab. It includes the period and the number of filters, so that tabs can be distinguished.
 */
function formatTitle(address: Address): string {
  const [name = '', list, id] = address.path;
  const view = findView(name);
  if (name === 'search') return 'Search';
  if (!view) return (Object.hasOwn(OTHER_VIEWS, name) ? OTHER_VIEWS[name]?.label : undefined) ?? 'Overview';
  if (id !== undefined) return `${view.one ?? view.label} report`;
  if (wrongIn(address, view).length > 0) return view.label;
  const filters = listChips(address).length;
  const parts = [`${view.label}${list ? ' reports' : ''}`, periodLabel(address)];
  return [...parts, ...(filters > 0 ? [plural(filters, 'filter')] : [])].join(', ');
}

function View({ address }: { address: Address }) {
  const [name, list, id] = address.path;
  const view = findView(name);
  useExcluded(address, id === undefined ? view : undefined);
  if (name === undefined) return <Overview address={address} />;
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
      There is no such view. <Link to={withParams(atPath(address, []), {})}>Go to the overview</Link>
    </Empty>
  );
}
