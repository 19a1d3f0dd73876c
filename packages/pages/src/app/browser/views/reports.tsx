import { type Address, changed, goTo } from '../address.ts';
import { answering } from '../answering.tsx';
import {
  ReportsDocument,
  type ReportsQuery,
  type ReportsQueryVariables,
} from '../documents/documents.generated.ts';
import { exportQuery, hasNoise, questionOf } from '../filters.ts';
import { count } from '../format.ts';
import { AddFilter } from '../parts/add-filter.tsx';
import { Downloads } from '../parts/downloads.tsx';
import { Chips, NoiseSwitch, Retention } from '../parts/filters.tsx';
import { Link } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { NoReports } from '../parts/no-reports.tsx';
import { PeriodPicker } from '../parts/period-picker.tsx';
import { NumberCell, Table } from '../parts/table.tsx';
import { ADDRESSES, Uri } from '../parts/uri.tsx';
import { Value } from '../parts/value.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { isBeyondRetention, periodIn, periodLabel } from '../period.ts';
import { type ReportTypeView, viewOf } from '../report-types.ts';
import type { Answer } from '../use-answer.ts';
import { nameOf } from './field-names.ts';

type Row = NonNullable<NonNullable<ReportsQuery['account']>['reports']>['reports'][number];

const typeAt = ({ path }: Address): ReportTypeView => viewOf(path[0])!;

/** The variables of an address's list. A report is opened at the address of its list. */
export function reportsAsked(address: Address, account: string): ReportsQueryVariables {
  const view = typeAt(address);
  return { account, type: view.type, ...questionOf(address, view), hasNoise: hasNoise(view) };
}

/** The reports of a period, as they came: each row leads to its report. */
export const Reports = answering<ReportsQuery, ReportsQueryVariables>({
  document: ReportsDocument,
  ask: reportsAsked,
  Head,
  Show,
  nameOf: periodLabel,
});

function Head({ address, data }: { address: Address; data: ReportsQuery | undefined }) {
  const view = typeAt(address);
  return (
    <>
      <ViewHead title={`${view.one ?? view.label} reports`}>
        <Link to={{ ...address, path: [view.type] }}>Back to volume and groups</Link>
      </ViewHead>
      <div class="toolbar">
        <PeriodPicker address={address} />
        {hasNoise(view) && <NoiseSwitch address={address} classes={data?.account?.noise} />}
      </div>
      <AddFilter key={view.type} view={view} address={address} known={NONE} />
      <Chips address={address} />
    </>
  );
}

const NONE = new Map<string, ReadonlyMap<string, number>>();

function Show({ data: { account }, address }: Answer<ReportsQuery, ReportsQueryVariables>) {
  const view = typeAt(address);
  const list = account?.reports;
  const days = account?.plan.dataRetentionDays ?? 0;
  const retention = isBeyondRetention(periodIn(address), days) && <Retention days={days} />;
  if (!list || list.reports.length === 0)
    return <NoReports view={view} address={address} retention={retention} />;
  return (
    <>
      <p class="extent">
        {extentOf(list)} {retention}
      </p>
      <Rows rows={list.reports} view={view} address={address} />
      <Downloads
        path={`reports/${view.type}`}
        query={exportQuery(address, view)}
        about="All reports of the period, with these filters and every field, as a file:"
      />
    </>
  );
}

function extentOf({ reports, truncated }: { reports: readonly Row[]; truncated: boolean }): string {
  const shown = count(reports.length);
  if (truncated)
    return `These are the newest ${shown}: there are more. A shorter period or a filter shows the others.`;
  return reports.length === 1
    ? 'This is the only report of the period.'
    : `All ${shown} reports of the period.`;
}

interface Sort {
  field: string;
  isDescending: boolean;
}

function Rows({ rows, view, address }: { rows: readonly Row[]; view: ReportTypeView; address: Address }) {
  const fields = fieldsOf(view);
  const sort = sortIn(address, fields);
  const sorted = sortedRows(rows, view, address);
  const linkTo = (row: Row) => ({ ...address, path: [view.type, 'reports', row.recordId] });
  return (
    <Table
      label="Reports"
      class="reports"
      isPanel
      columns={fields.map(field => ({
        class: field === 'count' ? 'number' : undefined,
        'aria-sort': sort.field === field ? (sort.isDescending ? 'descending' : 'ascending') : undefined,
        children: (
          <button
            type="button"
            class="plain"
            onClick={() => goTo(changed(address, { sort: nextSort(sort, field) }))}
          >
            {nameOf(field)}
          </button>
        ),
      }))}
    >
      {sorted.map(row => (
        <tr
          key={row.recordId}
          onClick={event => {
            if (!(event.target as Element).closest('a') && !getSelection()?.toString()) goTo(linkTo(row));
          }}
        >
          <th scope="row">
            <Link to={linkTo(row)}>
              <Moment at={row.date} as="second" />
            </Link>
          </th>
          <NumberCell of="Count">{count(row.count)}</NumberCell>
          {view.columns.map(field => (
            <td key={field} data-label={nameOf(field)}>
              {ADDRESSES.has(field) ? (
                <Uri text={String(cell(row, field) ?? '')} />
              ) : (
                <Value name={field} value={cell(row, field)} isShort />
              )}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

const fieldsOf = ({ columns }: ReportTypeView) => ['date', 'count', ...columns];

/** The rows in the order of an address. */
export function sortedRows<Of extends object>(
  rows: readonly Of[],
  view: ReportTypeView,
  address: Address,
): Of[] {
  return [...rows].sort(compare(sortIn(address, fieldsOf(view))));
}

/** `count` is upwards, `-count` downwards. */
function sortIn({ params }: Address, fields: readonly string[]): Sort {
  const text = params.get('sort') ?? '';
  const field = text.replace(/^-/, '');
  return fields.includes(field)
    ? { field, isDescending: text.startsWith('-') }
    : { field: 'date', isDescending: true };
}

/** Another field begins with what is looked for most: the newest, the largest, the first by name. */
function nextSort({ field, isDescending }: Sort, next: string): string {
  const isDown = field === next ? !isDescending : next === 'date' || next === 'count';
  return isDown ? `-${next}` : next;
}

function cell(row: object, field: string): unknown {
  return (row as Record<string, unknown>)[field];
}

function compare({ field, isDescending }: Sort) {
  const sign = isDescending ? -1 : 1;
  return (one: object, other: object) => {
    const [left, right] = [cell(one, field), cell(other, field)];
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    return sign * String(left ?? '').localeCompare(String(right ?? ''));
  };
}
