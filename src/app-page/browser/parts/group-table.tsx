import type { Address } from '../address.ts';
import { changed } from '../address.ts';
import type { GroupBy, GroupRowsFragment, ReportTypeName } from '../documents/documents.generated.ts';
import { filterOf } from '../filters.ts';
import { count, share } from '../format.ts';
import { NOISE, SOURCE_CLASSES } from '../report-types.ts';
import { Link } from './link.tsx';
import { Moment } from './moment.tsx';

type Group = GroupRowsFragment['groups'][number];

interface Props {
  title: string;
  rows: GroupRowsFragment;
  type: ReportTypeName;
  /** Where the view is: what is picked or left out is added to it. */
  address: Address;
}

/** Groups with a bar each, so that the table is its own picture. */
export function GroupTable({ title, rows, type, address }: Props) {
  const { groups, otherGroups, otherCount, totalCount } = rows;
  const most = Math.max(1, ...groups.map(group => group.count));
  return (
    <section class="panel" aria-label={title}>
      <h3>{title}</h3>
      {groups.length === 0 ? (
        <p class="quiet">No reports.</p>
      ) : (
        <section class="scroll" tabIndex={0} aria-label={`${title}, as a table`}>
          <table class="groups stack">
            <thead>
              <tr>
                <th scope="col">{groups[0]!.keys.map(({ by }) => headingOf(by)).join(', ')}</th>
                <th scope="col" class="number">
                  Count
                </th>
                <th scope="col" class="number" title="On how many days, in UTC">
                  Days
                </th>
                <th scope="col">First seen</th>
                <th scope="col">Last seen</th>
                <th scope="col">
                  <span class="sr-only">Filter</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map(group => (
                <GroupRow
                  key={group.keys.map(({ value }) => value).join('\0')}
                  {...{ group, most, totalCount, type, address }}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {otherGroups > 0 && (
        <p class="quiet">
          {count(otherGroups)} more {otherGroups === 1 ? 'group' : 'groups'}
          {otherCount !== null && ` with ${count(otherCount ?? 0)} reports`}{' '}
          {otherGroups === 1 ? 'is' : 'are'} not shown.
        </p>
      )}
    </section>
  );
}

interface RowProps {
  group: Group;
  most: number;
  totalCount: number;
  type: ReportTypeName;
  address: Address;
}

function GroupRow({ group, most, totalCount, type, address }: RowProps) {
  const { keys, days, firstSeen, lastSeen } = group;
  const isNoise = keys.some(
    ({ by, value }) => by === 'SOURCE_CLASS' && (NOISE as readonly string[]).includes(value),
  );
  const filters = keys.map(({ by, value }) => [filterOf(by, value, type), value] as const);
  const known = filters.filter((filter): filter is [string, string] => filter[0] !== undefined);
  const name = keys.map(({ by, value }) => shown(by, value)).join(', ');
  return (
    <tr class={isNoise ? 'noise' : undefined}>
      <th scope="row">
        <span class="keys">
          {keys.map(({ by, value }, at) => (
            <bdi key={by} class={at === 0 ? undefined : 'second'} title={value.slice(0, 500)}>
              {shown(by, value)}
            </bdi>
          ))}
        </span>
        <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class={isNoise ? 'c-noise' : 'c-0'} width={(group.count / most) * 100} height="4" />
        </svg>
      </th>
      <td class="number" data-label="Count" title={`${share(group.count, totalCount)} of all`}>
        {count(group.count)}
      </td>
      <td class="number" data-label="Days">
        {count(days)}
      </td>
      <td data-label="First">
        <Moment at={firstSeen} />
      </td>
      <td data-label="Last">
        <Moment at={lastSeen} />
      </td>
      <td class="actions">
        {known.length > 0 && (
          <>
            <Link to={changed(address, Object.fromEntries(known))} label={`Only ${name}`} title="Only such">
              only
            </Link>
            <Link to={withoutFirst(address, known)} label={`Without ${name}`} title="Without such">
              without
            </Link>
          </>
        )}
      </td>
    </tr>
  );
}

/** What matches any exclusion is left out: so it is the first key that is excluded. */
function withoutFirst(address: Address, [first]: readonly [string, string][]): Address {
  const [name, value] = first!;
  const param = `not.${name}`;
  return changed(address, { [param]: [...new Set([...address.params.getAll(param), value])] });
}

/** `PAGE_HOST` as a heading. */
function headingOf(by: GroupBy): string {
  const words = by.toLowerCase().replaceAll('_', ' ');
  const proper = words.replace(/\b(nel|ip|dkim|spf|id)\b/g, word => word.toUpperCase());
  return proper[0]!.toUpperCase() + proper.slice(1);
}

/** A value in words; an empty one says that the reports do not tell. */
export function shown(by: GroupBy, value: string): string {
  if (value === '') return by === 'BLOCKED_HOST' ? 'no host' : 'not told';
  if (by === 'SOURCE_CLASS') return SOURCE_CLASSES[value] ?? value;
  if (by === 'ALIGNED') return value === 'true' ? 'aligned' : 'not aligned';
  return value;
}
