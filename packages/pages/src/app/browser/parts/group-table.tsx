import { type Address, changed } from '../address.ts';
import type { GroupBy, GroupCountsFragment, GroupRowsFragment } from '../documents/documents.generated.ts';
import { FILTERS, filterOf } from '../filters.ts';
import { count, duration, revealed, share } from '../format.ts';
import { barsOf, periodIn } from '../period.ts';
import type { ReportTypeView } from '../report-types.ts';
import { isNoise } from '../tables.generated.ts';
import { useExtent, useMore } from './group-extent.ts';
import { aboutOf, headingOf, shown } from './group-words.ts';
import { Link } from './link.tsx';
import { lookUpOf } from './look-up.ts';
import { Moment } from './moment.tsx';
import { NewBadge } from './new-badge.tsx';
import { NumberCell, numbers, Table, unseen } from './table.tsx';

type Group = GroupRowsFragment['groups'][number];

/** The values of a group, as one text. */
export const nameOfGroup = ({ keys }: { keys: readonly { value: string }[] }) =>
  keys.map(({ value }) => value).join('\0');

interface Props {
  title: string;
  by: GroupBy[];
  /** The question that the rows answer: for another one the first are shown, as many as usual. */
  question: string;
  rows: GroupRowsFragment;
  view: ReportTypeView;
  account: string;
  /** The address of the rows. Groups that are picked or left out become its filters. */
  address: Address;
  /** Those that are new, by name; undefined where nothing is marked. */
  fresh: ReadonlySet<string> | undefined;
  /** The groups of the period before, where the visitor compares. */
  before: GroupCountsFragment | undefined;
}

const MORE = 50;

/** Groups with a bar each, so that the table is its own picture. */
export function GroupTable({ title, by, question, rows, view, account, address, fresh, before }: Props) {
  const [{ size, text }, setExtent] = useExtent(question, rows.groups.length);
  const wanted = text.trim();
  const isMore = size > rows.groups.length || wanted !== '';
  const more = useMore({ by, view, account, address }, isMore && rows.otherGroups > 0);
  const all = more?.groups ?? rows;
  const found = all.groups.filter(group => wanted === '' || textOf(group, by).includes(wanted.toLowerCase()));
  const visible = found.slice(0, Math.max(size, rows.groups.length));
  const left = found.length - visible.length + (wanted === '' ? all.otherGroups : 0);
  const about = aboutOf(by[0]!, view.type);
  return (
    <section class="panel" aria-label={title}>
      <button type="button" class="skip-table" onClick={event => toNextTable(event.currentTarget)}>
        Next table
      </button>
      <div class="panel-head">
        <h3>{title}</h3>
        {rows.otherGroups > 0 && (
          <input
            type="search"
            class="find-group"
            aria-label={`Find in ${title}`}
            placeholder="Find"
            spellcheck={false}
            value={text}
            onInput={event => setExtent({ size, text: event.currentTarget.value })}
          />
        )}
      </div>
      {about && <p class="quiet">{about}</p>}
      {visible.length === 0 ? (
        <p class="quiet">{wanted === '' ? 'No reports.' : 'None of these groups has that in its name.'}</p>
      ) : (
        <Rows
          {...{ title, by, view, address, before }}
          groups={visible}
          most={Math.max(1, ...all.groups.map(group => group.count))}
          totalCount={rows.totalCount}
          fresh={fresh && more ? new Set(more.fresh.groups.map(nameOfGroup)) : fresh}
        />
      )}
      {left > 0 && (
        <p class="more-groups">
          <button type="button" onClick={() => setExtent({ size: visible.length + MORE, text })}>
            Show {count(Math.min(MORE, left))} more
          </button>{' '}
          <span class="quiet">
            {count(left)} more {left === 1 ? 'group' : 'groups'}
            {wanted === '' &&
              !isMore &&
              rows.otherCount !== null &&
              `, ${count(rows.otherCount ?? 0)} in all`}
          </span>
        </p>
      )}
      {wanted !== '' && all.otherGroups > 0 && more && (
        <p class="quiet">Looked for in the first {count(all.groups.length)}.</p>
      )}
    </section>
  );
}

/** A table has dozens of links: who uses the keyboard need not go through them. The last leads to the first. */
function toNextTable(from: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>('.skip-table')];
  all[(all.indexOf(from) + 1) % all.length]?.focus();
}

const textOf = (group: Group, by: readonly GroupBy[]) =>
  group.keys
    .map(({ value }, at) => `${value} ${shown(by[at]!, value)}`)
    .join(' ')
    .toLowerCase();

interface RowsProps extends Pick<Props, 'title' | 'by' | 'view' | 'address' | 'fresh' | 'before'> {
  groups: readonly Group[];
  most: number;
  totalCount: number;
}

function Rows({ title, by, groups, ...rest }: RowsProps) {
  const isOfDays = barsOf(periodIn(rest.address)) === 'DAY';
  const unit = isOfDays ? 'day' : 'time';
  return (
    <Table
      label={`${title}, as a table`}
      class="groups"
      columns={[
        by.map(headingOf).join(', '),
        numbers('Count'),
        ...(rest.before ? [numbers('Before', 'In the period before, which was as long')] : []),
        isOfDays
          ? { children: 'Days', class: 'number days', title: 'On how many days, in UTC' }
          : numbers('Over', 'From the first to the last'),
        { children: 'First', title: `The ${unit} of the first, in UTC` },
        { children: 'Last', title: `The ${unit} of the last, in UTC` },
        unseen('Filter'),
      ]}
    >
      {groups.map(group => (
        <GroupRow key={nameOfGroup(group)} {...{ by, group, isOfDays, ...rest }} />
      ))}
    </Table>
  );
}

interface RowProps extends Omit<RowsProps, 'title' | 'groups'> {
  group: Group;
  isOfDays: boolean;
}

function GroupRow({ by, group, most, totalCount, view, address, fresh, before, isOfDays }: RowProps) {
  const { days, firstSeen, lastSeen } = group;
  const keys = telling(group, by);
  const hasNoise = keys.some(({ by, value }) => by === 'SOURCE_CLASS' && isNoise(value));
  const isOfOneDay = firstSeen.slice(0, 10) === lastSeen.slice(0, 10);
  const how = isOfDays ? 'day' : isOfOneDay ? 'time' : 'moment';
  return (
    <tr class={hasNoise ? 'noise' : undefined}>
      <th scope="row">
        <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width={(group.count / most) * 100} height="4" />
        </svg>
        <span class="keys">
          {keys.map(({ by, value }, at) => (
            <bdi key={by} class={at === 0 ? undefined : 'second'} title={revealed(value.slice(0, 500))}>
              {shown(by, value)}
            </bdi>
          ))}
          {fresh?.has(nameOfGroup(group)) && <NewBadge />}
        </span>
      </th>
      <NumberCell of="Count" title={`${share(group.count, totalCount)} of all`}>
        {count(group.count)}
      </NumberCell>
      {before && <NumberCell of="Before">{countBefore(before, nameOfGroup(group))}</NumberCell>}
      {isOfDays ? (
        <td class="number days" data-label="Days">
          {count(days)}
        </td>
      ) : (
        <NumberCell of="Over">
          {group.count === 1 ? '–' : duration(Date.parse(lastSeen) - Date.parse(firstSeen))}
        </NumberCell>
      )}
      <td data-label="First">
        <Moment at={firstSeen} as={how} />
      </td>
      <td data-label="Last">
        <Moment at={lastSeen} as={how} />
      </td>
      <Actions keys={keys} view={view} address={address} />
    </tr>
  );
}

/** The count in the period before. A group that was not among the largest has at most the least of them. */
function countBefore({ groups, otherGroups }: GroupCountsFragment, name: string): string {
  const group = groups.find(one => nameOfGroup(one) === name);
  if (group) return count(group.count);
  return otherGroups === 0 ? '0' : `at most ${count(groups.at(-1)!.count)}`;
}

interface Key {
  by: GroupBy;
  value: string;
}

/** The keys that say something: without a blocked host the source alone does. */
function telling(group: Group, dimensions: readonly GroupBy[]): Key[] {
  const keys = group.keys.map(({ value }, at) => ({ by: dimensions[at]!, value }));
  return keys.filter(({ by, value }) => by !== 'BLOCKED_HOST' || value !== '' || keys.length === 1);
}

function Actions({ keys, view, address }: { keys: readonly Key[]; view: ReportTypeView; address: Address }) {
  const known = keys.flatMap(({ by, value }) => {
    const param = filterOf(by, value, view.type);
    return param ? [{ param, value, name: shown(by, value) }] : [];
  });
  if (known.length === 0) return <td class="actions" />;
  const all = keys.map(({ by, value }) => shown(by, value)).join(', ');
  const [first] = known as [(typeof known)[number]];
  // A host has one source, but many paths: without it more goes than the row.
  const isWhole = keys.length === 1 || keys[0]!.by === 'BLOCKED_HOST';
  const what = isWhole ? '' : ` ${FILTERS[first.param]}`;
  const lookUp = lookUpOf(keys[0]!.by, keys[0]!.value);
  const name = `not.${first.param}`;
  const excluded = [...new Set([...address.params.getAll(name), first.value])];
  return (
    <td class={keys.length > 1 ? 'actions stacked' : 'actions'}>
      <Link
        to={changed(address, Object.fromEntries(known.map(({ param, value }) => [param, value])))}
        label={`Only ${all}`}
        title="Only these reports"
      >
        only
      </Link>
      <Link
        to={changed(address, { [name]: excluded })}
        label={`Without${what} ${first.name}`}
        title={isWhole ? 'Without these reports' : `Without all of this ${FILTERS[first.param]}`}
      >
        without{what}
      </Link>
      {lookUp && (
        <a
          href={lookUp}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Look up ${first.name} elsewhere`}
        >
          look up
        </a>
      )}
    </td>
  );
}
