import { type Address, goTo, withParams } from '../address.ts';
import {
  ReportsDocument,
  type ReportsQuery,
  type ReportsQueryVariables,
} from '../documents/documents.generated.ts';
import { exportQuery, hasNoise, toQuestion } from '../filters.ts';
import { count, plural } from '../format.ts';
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
import { createQueryView } from '../query-view.tsx';
import { findView, type ReportTypeView } from '../report-types.ts';
import type { QueryAnswer } from '../use-answer.ts';
import { getName } from './field-names.ts';

type Row = NonNullable<NonNullable<ReportsQuery['account']>['reports']>['reports'][number];

const typeAt = ({ path }: Address): ReportTypeView => findView(path[0])!;

/**
 * Returns the query variables for the list of reports at an address. The address of a single report includes that of
 * its list.
 */
export function reportsAsked(address: Address, account: string): ReportsQueryVariables {
  const view = typeAt(address);
  return { account, type: view.type, ...toQuestion(address, view), hasNoise: hasNoise(view) };
}

/** The list of individual reports in a period. Each row links to its report. */
export const Reports = createQueryView<ReportsQuery, ReportsQueryVariables>({
  document: ReportsDocument,
  ask: reportsAsked,
  Head,
  Show,
  getName: periodLabel,
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
      <AddFilter key={view.type} view={view} address={address} existing={NONE} />
      <Chips address={address} />
    </>
  );
}

const NONE = new Map<string, ReadonlyMap<string, number>>();

function Show({ data: { account }, address }: QueryAnswer<ReportsQuery, ReportsQueryVariables>) {
  const view = typeAt(address);
  const list = account?.reports;
  const days = account?.plan.dataRetentionDays ?? 0;
  const retention = isBeyondRetention(periodIn(address), days) && <Retention days={days} />;
  if (!list || list.reports.length === 0)
    return <NoReports view={view} address={address} retention={retention} />;
  return (
    <>
      <p class="extent">
        {describeExtent(list)} {retention}
      </p>
      <Rows rows={list.reports} view={view} address={address} />
      <Downloads
        path={`reports/${view.type}`}
        query={exportQuery(address, view)}
        about="Download all reports of the period that match these filters, with every field:"
      />
    </>
  );
}

/** A record can stand for several reports: its count, which totals elsewhere on the page add up. */
function describeExtent({ reports, truncated }: { reports: readonly Row[]; truncated: boolean }): string {
  const shown = count(reports.length);
  const total = reports.reduce((sum, report) => sum + report.count, 0);
  const isCounted = total !== reports.length;
  const name = isCounted ? 'record' : 'report';
  if (truncated)
    return `Only the newest ${shown} ${name}s are shown. Choose a shorter period or add a filter to see others.`;
  const all = reports.length === 1 ? `This is the only ${name}` : `All ${plural(reports.length, name)}`;
  return `${all} of the period${isCounted ? `, with ${plural(total, 'report')} in total` : ''}.`;
}

interface Sort {
  field: string;
  isDescending: boolean;
}

function Rows({ rows, view, address }: { rows: readonly Row[]; view: ReportTypeView; address: Address }) {
  const fields = toFields(view);
  const sort = sortIn(address, fields);
  const sorted = sortRows(rows, view, address);
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
            onClick={() => goTo(withParams(address, { sort: nextSort(sort, field) }))}
          >
            {getName(field)}
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
            <td key={field} data-label={getName(field)}>
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

const toFields = ({ columns }: ReportTypeView) => ['date', 'count', ...columns];

/** Sorts the rows as the address requests. */
export function sortRows<Of extends object>(
  rows: readonly Of[],
  view: ReportTypeView,
  address: Address,
): Of[] {
  return [...rows].sort(compare(sortIn(address, toFields(view))));
}

/** Returns the sort order of an address: `count` is ascending, `-count` descending. */
function sortIn({ params }: Address, fields: readonly string[]): Sort {
  const text = params.get('sort') ?? '';
  const field = text.replace(/^-/, '');
  return fields.includes(field)
    ? { field, isDescending: text.startsWith('-') }
    : { field: 'date', isDescending: true };
}

/**
 * Returns the order after a click on a column header. A new column starts with its more useful end: the newest, the
 * largest, or the first by name.
 */
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
