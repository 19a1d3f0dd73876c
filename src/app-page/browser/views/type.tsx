import { useContext } from 'preact/hooks';
import { type Address, changed, formatAddress, goTo } from '../address.ts';
import {
  type GroupBy,
  type GroupOrder,
  type GroupRowsFragment,
  ReportTypeDocument,
} from '../documents/documents.generated.ts';
import { isBeyondRetention, periodIn, questionOf } from '../filters.ts';
import { plural, shortDay } from '../format.ts';
import { isNew, newSince } from '../news.ts';
import { AddFilter } from '../parts/add-filter.tsx';
import { AsRequest } from '../parts/as-request.tsx';
import { Chips, NoiseSwitch, PeriodPicker, Retention } from '../parts/filters.tsx';
import { GroupTable } from '../parts/group-table.tsx';
import { Link } from '../parts/link.tsx';
import { NoReports } from '../parts/no-reports.tsx';
import { Answered } from '../parts/states.tsx';
import { Volume } from '../parts/volume.tsx';
import type { ReportTypeView } from '../report-types.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';

const ORDERS: readonly [GroupOrder, string][] = [
  ['COUNT', 'most reports'],
  ['FIRST_SEEN', 'newest first'],
  ['LAST_SEEN', 'seen last'],
  ['KEY', 'by name'],
];

/** One report type: its volume, and the groupings that fit it. */
export function TypeView({ view, address }: { view: ReportTypeView; address: Address }) {
  const { account } = useContext(SessionContext);
  const period = periodIn(address);
  const split = view.splits.find(({ title }) => title === address.params.get('split')) ?? view.splits[0]!;
  const order = ORDERS.find(([name]) => name === address.params.get('order')) ?? ORDERS[0]!;
  const [first, second, third, fourth, fifth] = view.groupings;
  const isShort = period.unit === 'days' || period.unit === 'hours' || address.params.get('period') === '1d';
  const time: GroupBy = isShort ? 'HOUR' : 'DAY';
  const { type } = view;
  const variables = {
    account,
    type,
    ...questionOf(address, view),
    hasNoise: view.hasNoise,
    time: [time, ...split.by],
    first: first.by,
    second: second?.by ?? [],
    hasSecond: second !== undefined,
    third: third?.by ?? [],
    hasThird: third !== undefined,
    fourth: fourth?.by ?? [],
    hasFourth: fourth !== undefined,
    fifth: fifth?.by ?? [],
    hasFifth: fifth !== undefined,
    orderBy: order[0],
  };
  const asked = useAnswer(ReportTypeDocument, variables);
  return (
    <>
      <header class="view">
        <h1>{view.label}</h1>
        <p>{view.about}</p>
      </header>
      <div class="toolbar">
        <PeriodPicker address={address} />
        {view.hasNoise && <NoiseSwitch address={address} classes={asked.data?.account?.noise} />}
      </div>
      <AddFilter view={view} address={address} />
      <Chips address={address} />
      <Answered asked={asked}>
        {({ account }) => {
          const groups = [account?.first, account?.second, account?.third, account?.fourth, account?.fifth];
          const days = account?.plan.dataRetentionDays ?? 0;
          const retention = isBeyondRetention(address, days) && <Retention days={days} />;
          const rows = account?.time;
          if (!rows || rows.totalReports === 0)
            return <NoReports view={view} address={address} retention={retention} />;
          const firstDay = rows.groups[0]?.keys[0]?.value ?? '';
          const hasPast = period.from !== undefined && period.from < newSince();
          const isAllNew = hasPast && isNew(firstDay);
          return (
            <>
              <section class="panel wide" aria-label="Volume">
                <div class="panel-head">
                  <h2>
                    {plural(rows.totalCount, view.counts ?? 'report')}{' '}
                    <span class="quiet">by {time === 'HOUR' ? 'hour' : 'day'} (UTC)</span>{' '}
                    {isAllNew && <span class="badge new">all new since {shortDay(firstDay)}</span>}
                  </h2>
                  <Link to={{ ...address, path: [type, 'reports'] }}>Show the reports</Link>
                  <Select
                    label="Split"
                    value={split.title}
                    options={view.splits.map(({ title }) => [title, title])}
                    change={title => goTo(changed(address, { split: title }))}
                  />
                </div>
                <Volume
                  title={`${view.counts ? 'Mails' : `${view.one ?? view.label} reports`} by ${time === 'HOUR' ? 'hour' : 'day'}, ${split.title}`}
                  rows={rows}
                  by={[time, ...split.by]}
                  from={time === 'DAY' ? period.from : undefined}
                  hrefOf={date => formatAddress(changed(address, periodOf(date)))}
                />
                {retention && <p class="quiet">{retention}</p>}
                {rows.otherGroups > 0 && (
                  <p class="quiet">Some bars are cut: there are more than 1000 parts.</p>
                )}
              </section>
              <div class="panel-head">
                <h2>Groups</h2>
                <Select
                  label="Order"
                  value={order[0]}
                  options={ORDERS}
                  change={name => goTo(changed(address, { order: name }))}
                />
              </div>
              <div class="panels">
                {view.groupings.map(
                  (grouping, at) =>
                    grouping && (
                      <GroupTable
                        key={grouping.title}
                        title={grouping.title}
                        by={grouping.by}
                        rows={groups[at] ?? NOTHING}
                        type={type}
                        address={address}
                        isMarking={hasPast && !isAllNew}
                      />
                    ),
                )}
              </div>
              <AsRequest document={ReportTypeDocument} variables={variables} />
            </>
          );
        }}
      </Answered>
    </>
  );
}

const NOTHING: GroupRowsFragment = {
  groups: [],
  otherGroups: 0,
  otherCount: 0,
  totalCount: 0,
};

function periodOf(date: string) {
  return { unit: date.includes('T') ? 'hours' : 'days', date, period: undefined };
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
