import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Address, changed, elsewhere, useAddress } from './address.ts';
import type { Key } from './api.ts';
import type { SessionQuery } from './documents/documents.generated.ts';
import { Hatch } from './parts/bar-chart.tsx';
import { Link } from './parts/link.tsx';
import { Empty } from './parts/states.tsx';
import { useMinutes } from './refresh.tsx';
import { REPORT_TYPES, viewOf } from './report-types.ts';
import { SessionContext } from './use-answer.ts';
import { Accounts } from './views/accounts.tsx';
import { Audit } from './views/audit.tsx';
import { Overview } from './views/overview/overview.tsx';
import { Policies } from './views/policies.tsx';
import { Report } from './views/report.tsx';
import { Reports } from './views/reports.tsx';
import { SetupView } from './views/setup.tsx';
import { TypeView } from './views/type.tsx';
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
  const { minutes, isOn, toggle } = useMinutes();
  const session = { key: userKey, account: account ?? '', isInternal: viewer === null, minutes, signOut };
  const name = viewer?.teamName ?? viewer?.email ?? account;
  return (
    <SessionContext.Provider value={session}>
      <Hatch />
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <header class="top">
        <strong class="brand">Sightline</strong>
        {name && <bdi class="who">{name}</bdi>}
        {!viewer && account && <Link to={{ path: [], params: new URLSearchParams() }}>Other account</Link>}
        <span class="grow" />
        <button type="button" aria-pressed={isOn} onClick={toggle} title="Asks anew while the tab is in view">
          Refresh every minute
        </button>
        <a href="docs">API</a>
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      {account === undefined ? (
        <Accounts address={address} />
      ) : (
        <div class="frame">
          <Navigation address={address} />
          <Content address={address}>
            <View address={address} />
          </Content>
        </div>
      )}
    </SessionContext.Provider>
  );
}

function skip(): void {
  document.getElementById('content')?.focus();
}

const OTHER_VIEWS: Readonly<Record<string, { label: string; show(address: Address): ComponentChildren }>> = {
  watches: { label: 'Watches', show: address => <Watches address={address} /> },
  policies: { label: 'Policies', show: address => <Policies address={address} /> },
  audit: { label: 'Audit', show: address => <Audit address={address} /> },
  setup: { label: 'Setup', show: () => <SetupView /> },
};

function Navigation({ address }: { address: Address }) {
  const [current = ''] = address.path;
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the views stand in a row that is wider than the screen.
    element.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav aria-label="Views" ref={element}>
      <Link to={elsewhere(address, [])} isCurrent={current === ''}>
        Overview
      </Link>
      <span class="nav-head">Reports</span>
      {REPORT_TYPES.map(({ type, label }) => (
        <Link key={type} to={elsewhere(address, [type], ['period', 'noise'])} isCurrent={current === type}>
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
  useEffect(() => {
    document.title = `${titleOf(address)} · Sightline`;
    if (before.current === place) return;
    before.current = place;
    element.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [place]);
  return (
    <main id="content" ref={element} tabIndex={-1}>
      {children}
    </main>
  );
}

function titleOf({ path: [name = ''] }: Address): string {
  return viewOf(name)?.label ?? OTHER_VIEWS[name]?.label ?? 'Overview';
}

function View({ address }: { address: Address }) {
  const [name, list, id] = address.path;
  if (name === undefined) return <Overview address={address} />;
  const view = viewOf(name);
  if (view && list === undefined) return <TypeView key={view.type} view={view} address={address} />;
  if (view && list === 'reports' && id !== undefined) return <Report view={view} id={id} address={address} />;
  if (view && list === 'reports') return <Reports key={view.type} view={view} address={address} />;
  if (Object.hasOwn(OTHER_VIEWS, name)) return OTHER_VIEWS[name]!.show(address);
  return (
    <Empty>
      There is no such view. <Link to={changed(elsewhere(address, []), {})}>To the overview</Link>
    </Empty>
  );
}
