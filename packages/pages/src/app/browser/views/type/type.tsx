import type { ComponentChildren } from 'preact';
import { type Address, changed, formatAddress, goTo } from '../../address.ts';
import { answering } from '../../answering.tsx';
import {
  type GroupBy,
  type GroupRowsFragment,
  ReportTypeDocument,
  type ReportTypeQuery,
  type ReportTypeQueryVariables,
} from '../../documents/documents.generated.ts';
import { filterOf, hasNoise, ORDERS, orderIn, questionOf } from '../../filters.ts';
import { count, plural, share, shortDay } from '../../format.ts';
import { AddFilter } from '../../parts/add-filter.tsx';
import { Chips, NoiseSwitch, Retention } from '../../parts/filters.tsx';
import { GroupTable } from '../../parts/group-table.tsx';
import { Link } from '../../parts/link.tsx';
import { NoReports } from '../../parts/no-reports.tsx';
import { PeriodPicker } from '../../parts/period-picker.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import { Volume } from '../../parts/volume.tsx';
import {
  atPeriod,
  barsOf,
  isBeyondRetention,
  neighbour,
  type Period,
  periodIn,
  periodLabel,
  periodName,
  periodOfBar,
  periodOfBars,
} from '../../period.ts';
import { type ReportTypeView, viewOf } from '../../report-types.ts';
import { TABLES } from '../../tables.generated.ts';
import type { Answer } from '../../use-answer.ts';
import { groupingsOf, isCompared, type Past, tablesOf, usePast } from './past.ts';
import { SessionsPanel } from './sessions.tsx';

type Account = NonNullable<ReportTypeQuery['account']>;

/** The view of an address, which the frame has looked up before. */
const typeAt = ({ path }: Address): ReportTypeView => viewOf(path[0])!;

const splitIn = (address: Address) => {
  const { splits } = typeAt(address);
  return splits.find(({ title }) => title === address.params.get('split')) ?? splits[0]!;
};

/** One report type: its volume, and the groupings that fit it. */
export const TypeView = answering<ReportTypeQuery, ReportTypeQueryVariables>({
  document: ReportTypeDocument,
  ask: variablesOf,
  Head,
  Show,
  nameOf: periodLabel,
});

function variablesOf(address: Address, account: string): ReportTypeQueryVariables {
  const view = typeAt(address);
  return {
    account,
    type: view.type,
    ...questionOf(address, view),
    hasNoise: hasNoise(view),
    time: [barsOf(periodIn(address)), ...splitIn(address).by],
    ...groupingsOf(view, address),
    orderBy: orderIn(address)[0],
  };
}

function Head({ address, data }: { address: Address; data: ReportTypeQuery | undefined }) {
  const view = typeAt(address);
  return (
    <>
      <ViewHead title={view.label}>{view.about}</ViewHead>
      <div class="toolbar">
        <PeriodPicker address={address} />
        {hasNoise(view) && <NoiseSwitch address={address} classes={data?.account?.noise} />}
      </div>
      <AddFilter
        key={view.type}
        view={view}
        address={address}
        known={knownValues(view, address, data?.account)}
      />
      <Chips address={address} />
    </>
  );
}

/** Values that the tables name, by the filter that picks them. */
function knownValues(view: ReportTypeView, address: Address, account: Account | null | undefined) {
  const tables = tablesOf(view, address);
  const known = new Map<string, Map<string, number>>();
  for (const [at, table] of TABLES.entries())
    for (const group of account?.[table]?.groups ?? [])
      for (const [key, { value }] of group.keys.entries()) {
        const filter = filterOf(tables[at]!.by[key]!, value, view.type);
        if (!filter) continue;
        const counts = known.get(filter) ?? new Map<string, number>();
        counts.set(value, (counts.get(value) ?? 0) + group.count);
        known.set(filter, counts);
      }
  return known;
}

function Show({ data: { account }, variables, address }: Answer<ReportTypeQuery, ReportTypeQueryVariables>) {
  const view = typeAt(address);
  const days = account?.plan.dataRetentionDays ?? 0;
  const retention = isBeyondRetention(periodIn(address), days) && <Retention days={days} />;
  if (!account?.time || account.time.totalReports === 0)
    return <NoReports view={view} address={address} retention={retention} />;
  return <Numbers {...{ account, view, variables, address, retention }} />;
}

interface NumbersProps {
  account: Account;
  view: ReportTypeView;
  variables: ReportTypeQueryVariables;
  address: Address;
  retention: ComponentChildren;
}

function Numbers({ account, view, variables, address, retention }: NumbersProps) {
  const past = usePast({ account, accountId: String(variables.account), view, address });
  const [order] = orderIn(address);
  const tables = tablesOf(view, address);
  const most = view.counts ? `most ${view.counts}s` : 'most reports';
  return (
    <>
      {view.type === 'tls_rpt' && (
        <SessionsPanel accountId={String(variables.account)} view={view} address={address} />
      )}
      <VolumePanel {...{ account, view, address, retention, past }} />
      <div class="panel-head">
        <h2>Groups</h2>
        <Select
          label="Order"
          value={order}
          options={ORDERS.map(([name, label]) => [name, name === 'COUNT' ? most : label] as const)}
          change={name => goTo(changed(address, { order: name }))}
        />
      </div>
      <div class="panels">
        {TABLES.map((table, at) => {
          const grouping = tables[at];
          return (
            grouping && (
              <GroupTable
                key={grouping.title}
                question={JSON.stringify(variables)}
                title={grouping.title}
                by={grouping.by}
                rows={account[table] ?? NOTHING}
                account={String(variables.account)}
                fresh={past.freshOf(table)}
                before={past.before(table)}
                {...{ view, address }}
              />
            )
          );
        })}
      </div>
    </>
  );
}

const NOTHING: GroupRowsFragment = { groups: [], otherGroups: 0, otherCount: 0, totalCount: 0 };

const BAR_NAMES = { MINUTE: 'minute', HOUR: 'hour', DAY: 'day' };

type PanelProps = Omit<NumbersProps, 'variables'> & { past: Past };

function VolumePanel({ account, view, address, retention, past }: PanelProps) {
  const rows = account.time!;
  const period = periodIn(address);
  const split = splitIn(address);
  const bar = BAR_NAMES[barsOf(period)];
  const to = (next: Period) => formatAddress(changed(address, atPeriod(next)));
  const before = past.before(TABLES[0])?.totalCount;
  return (
    <section class="panel wide" aria-label="Volume">
      <div class="panel-head">
        <h2>
          {plural(rows.totalCount, view.counts ?? 'report')} <span class="quiet">by {bar} (UTC)</span>{' '}
          {past.allNewSince && (
            <span class="badge new" title="Nothing of it came in the weeks before">
              all new since {shortDay(past.allNewSince)}
            </span>
          )}
          {before !== undefined && <Change now={rows.totalCount} before={before} address={address} />}
        </h2>
        <Link to={{ ...address, path: [view.type, 'reports'] }}>Show the reports</Link>
        <button
          type="button"
          aria-pressed={isCompared(address)}
          onClick={() => goTo(changed(address, { compare: isCompared(address) ? undefined : 'before' }))}
        >
          Compare with the period before
        </button>
        <Select
          label="Split"
          value={split.title}
          options={view.splits.map(({ title }) => [title, title])}
          change={title => goTo(changed(address, { split: title }))}
        />
      </div>
      <Volume
        title={`${view.counts ? 'Mails' : `${view.one ?? view.label} reports`} by ${bar}, ${split.title}`}
        rows={rows}
        split={split.by[0] as GroupBy}
        period={period}
        hrefOf={name => to(periodOfBar(name))}
        hrefOfSeveral={(first, last) => to(periodOfBars(first, last))}
      />
      {retention && <p class="quiet">{retention}</p>}
      {rows.otherGroups > 0 && (
        <p class="warn">The last bars are cut: there are more than 1,000 parts. Another split has fewer.</p>
      )}
    </section>
  );
}

/** The same length before, and how far the present one is from it. */
function Change({ now, before, address }: { now: number; before: number; address: Address }) {
  const sign = now > before ? '+' : '−';
  return (
    <span class="badge" title={periodName(neighbour(periodIn(address), -1)!)}>
      {count(before)} in the period before
      {before > 0 && `, ${sign}${share(Math.abs(now - before), before)}`}
    </span>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  change(value: string): void;
}

function Select({ label, value, options, change }: SelectProps) {
  if (options.length < 2) return null;
  return (
    <label class="select">
      {label}{' '}
      <select value={value} onChange={event => change(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name} selected={name === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
