import type { ComponentChildren } from 'preact';
import { type Address, formatAddress, goTo, withParams } from '../../address.ts';
import {
  type GroupBy,
  type GroupRowsFragment,
  ReportTypeDocument,
  type ReportTypeQuery,
  type ReportTypeQueryVariables,
} from '../../documents/documents.generated.ts';
import { findFilter, hasNoise, ORDERS, orderIn, toQuestion } from '../../filters.ts';
import { changeInWords, count, plural, shortDay } from '../../format.ts';
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
  isBeyondRetention,
  neighbour,
  type PagePeriod,
  periodIn,
  periodLabel,
  periodName,
  periodOfBar,
  periodOfBars,
  toBars,
} from '../../period.ts';
import { createQueryView } from '../../query-view.tsx';
import { findView, type ReportTypeView } from '../../report-types.ts';
import { TABLES } from '../../tables.generated.ts';
import type { QueryAnswer } from '../../use-answer.ts';
import { isCompared, listGroupings, listTables, type Past, usePast } from './past.ts';
import { SendersPanel } from './senders.tsx';
import { SessionsPanel } from './sessions.tsx';

type Account = NonNullable<ReportTypeQuery['account']>;

/** Returns the report type of an address. The frame has already checked that it exists. */
const typeAt = ({ path }: Address): ReportTypeView => findView(path[0])!;

const splitIn = (address: Address) => {
  const { splits } = typeAt(address);
  return splits.find(({ title }) => title === address.params.get('split')) ?? splits[0]!;
};

/** The view of a report type: its volume and its tables. */
export const TypeView = createQueryView<ReportTypeQuery, ReportTypeQueryVariables>({
  document: ReportTypeDocument,
  ask: toVariables,
  Head,
  Show,
  getName: periodLabel,
});

function toVariables(address: Address, account: string): ReportTypeQueryVariables {
  const view = typeAt(address);
  return {
    account,
    type: view.type,
    ...toQuestion(address, view),
    hasNoise: hasNoise(view),
    time: [toBars(periodIn(address)), ...splitIn(address).by],
    ...listGroupings(view, address),
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
        existing={listKnownValues(view, address, data?.account)}
      />
      <Chips address={address} />
    </>
  );
}

/** Returns the values in the tables by filter. */
function listKnownValues(view: ReportTypeView, address: Address, account: Account | null | undefined) {
  const tables = listTables(view, address);
  const existing = new Map<string, Map<string, number>>();
  for (const [at, table] of TABLES.entries())
    for (const group of account?.[table]?.groups ?? [])
      for (const [key, { value }] of group.keys.entries()) {
        const filter = findFilter(tables[at]!.by[key]!, value, view.type);
        if (!filter) continue;
        const counts = existing.get(filter) ?? new Map<string, number>();
        counts.set(value, (counts.get(value) ?? 0) + group.count);
        existing.set(filter, counts);
      }
  return existing;
}

function Show({
  data: { account },
  variables,
  address,
}: QueryAnswer<ReportTypeQuery, ReportTypeQueryVariables>) {
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
  const tables = listTables(view, address);
  const most = view.counts ? `most ${view.counts}s` : 'most reports';
  return (
    <>
      {view.type === 'tls_rpt' && (
        <SessionsPanel accountId={String(variables.account)} view={view} address={address} />
      )}
      {view.type === 'dmarc' && (
        <SendersPanel accountId={String(variables.account)} view={view} address={address} />
      )}
      <VolumePanel {...{ account, view, address, retention, past }} />
      <div class="panel-head">
        <h2>Top values</h2>
        <Select
          label="Sort"
          value={order}
          options={ORDERS.map(([name, label]) => [name, name === 'COUNT' ? most : label] as const)}
          change={order =>
            goTo(withParams(address, { order, ...(order === 'RISE' && { compare: 'before' }) }))
          }
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
                fresh={past.findNew(table)}
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
  const bar = BAR_NAMES[toBars(period)];
  const to = (next: PagePeriod) => formatAddress(withParams(address, atPeriod(next)));
  const before = past.before(TABLES[0])?.totalCount;
  return (
    <section class="panel wide" aria-label="Volume">
      <div class="panel-head">
        <h2>
          {plural(rows.totalCount, view.counts ?? 'report')} <span class="quiet">by {bar} (UTC)</span>{' '}
          {past.allNewSince && (
            <span class="badge new" title="There were no such reports in the weeks before">
              all new since {shortDay(past.allNewSince)}
            </span>
          )}
          {before !== undefined && <Change now={rows.totalCount} before={before} address={address} />}
        </h2>
        <Link to={{ ...address, path: [view.type, 'reports'] }}>Show the reports</Link>
        <button
          type="button"
          aria-pressed={isCompared(address)}
          onClick={() => goTo(withParams(address, { compare: isCompared(address) ? undefined : 'before' }))}
        >
          Compare with the previous period
        </button>
        <Select
          label="Split"
          value={split.title}
          options={view.splits.map(({ title }) => [title, title])}
          change={title => goTo(withParams(address, { split: title }))}
        />
      </div>
      <Volume
        title={`${view.counts ? 'Messages' : `${view.one ?? view.label} reports`} by ${bar}, ${split.title}`}
        rows={rows}
        split={split.by[0] as GroupBy}
        period={period}
        toHref={name => to(periodOfBar(name))}
        hrefOfSeveral={(first, last) => to(periodOfBars(first, last))}
      />
      {retention && <p class="quiet">{retention}</p>}
      {rows.otherGroups > 0 && (
        <p class="warn">
          The last bars are incomplete, because there are more than 1,000 parts. Choose another split.
        </p>
      )}
    </section>
  );
}

/** The change from the previous period of the same length. */
function Change({ now, before, address }: { now: number; before: number; address: Address }) {
  return (
    <span class="badge" title={periodName(neighbour(periodIn(address), -1)!)}>
      {count(before)} in the previous period
      {before > 0 && `, ${changeInWords(now, before)}`}
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
