import { useContext } from 'preact/hooks';
import { type Address, withParams } from '../address.ts';
import type { GroupBy, GroupCountsFragment, GroupRowsFragment } from '../documents/documents.generated.ts';
import { keepExcluded, listPatterns } from '../excluded.ts';
import { FILTERS, findFilter } from '../filters.ts';
import { changeInWords, count, duration, revealControlCharacters, share } from '../format.ts';
import { periodIn, toBars, toSpan } from '../period.ts';
import type { ReportTypeView } from '../report-types.ts';
import { isNoise } from '../tables.generated.ts';
import { SessionContext } from '../use-answer.ts';
import { type DomainGroups, foldDomains, type Group } from './fold-domains.ts';
import { useExtent, useMore } from './group-extent.ts';
import { describe, formatHeading, formatValue } from './group-words.ts';
import { IconLink, Outline } from './icons.tsx';
import { toLookUpUrl } from './look-up.ts';
import { Moment } from './moment.tsx';
import { NewBadge } from './new-badge.tsx';
import { addDays, Spark } from './spark.tsx';
import { NumberCell, numbers, Table, unseen } from './table.tsx';

/** Joins the values of a group into one string. */
export const nameOfGroup = ({ keys }: { keys: readonly { value: string }[] }) =>
  keys.map(({ value }) => value).join('\0');

interface Props {
  title: string;
  by: GroupBy[];
  /** Identifies the query of the rows. A new query resets the table to its initial length. */
  question: string;
  rows: GroupRowsFragment;
  view: ReportTypeView;
  account: string;
  /** The address of the result. Links that filter by a group or exclude it extend this address. */
  address: Address;
  /** Names of the groups to mark as new; undefined to mark none. */
  fresh: ReadonlySet<string> | undefined;
  /** The groups of the previous period, if the visitor compares with it. */
  before: GroupCountsFragment | undefined;
}

const MORE = 50;

/** A table of groups, with a bar in each row. */
export function GroupTable({ title, by, question, rows, view, account, address, fresh, before }: Props) {
  const [extent, setExtent] = useExtent(question, rows.groups.length);
  const { size, text, open } = extent;
  const wanted = text.trim();
  const isFolded = foldDomains(rows.groups, by, []).length < rows.groups.length;
  const isMore = size > rows.groups.length || wanted !== '' || isFolded;
  const more = useMore({ by, view, account, address }, isMore && rows.otherGroups > 0);
  const all = more?.groups ?? rows;
  const found = all.groups.filter(group => wanted === '' || toText(group, by).includes(wanted.toLowerCase()));
  const folded = foldDomains(found, by, open);
  const visible = folded.slice(0, Math.max(size, rows.groups.length));
  const shown = visible.flatMap(row => ('groups' in row ? row.groups : [row]));
  const left = found.length - shown.length + (wanted === '' ? all.otherGroups : 0);
  const about = describe(by[0]!, view.type);
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
            onInput={event => setExtent({ ...extent, text: event.currentTarget.value })}
          />
        )}
      </div>
      {about && <p class="quiet">{about}</p>}
      {visible.length === 0 ? (
        <p class="quiet">{wanted === '' ? 'No reports.' : 'No group has a name that contains this text.'}</p>
      ) : (
        <Rows
          {...{ title, by, view, address, before }}
          groups={visible}
          open={domain => setExtent({ ...extent, open: [...open, domain] })}
          most={Math.max(1, ...folded.map(getCount))}
          totalCount={rows.totalCount}
          fresh={fresh && more ? new Set(more.fresh.groups.map(nameOfGroup)) : fresh}
        />
      )}
      {left > 0 && (
        <p class="more-groups">
          <button type="button" onClick={() => setExtent({ ...extent, size: visible.length + MORE })}>
            Show {count(Math.min(MORE, left))} more
          </button>{' '}
          <span class="quiet">
            {count(left)} more {left === 1 ? 'group' : 'groups'}
            {wanted === '' && all.otherCount !== null && `, ${count(countHidden(all, shown))} in all`}
          </span>
        </p>
      )}
      {wanted !== '' && all.otherGroups > 0 && more && (
        <p class="quiet">Only the first {count(all.groups.length)} groups were searched.</p>
      )}
    </section>
  );
}

/**
 * Moves focus to the next table, or from the last one to the first, so that keyboard users can skip the many links of a
 * table.
 */
function toNextTable(from: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>('.skip-table')];
  all[(all.indexOf(from) + 1) % all.length]?.focus();
}

const toText = (group: Group, by: readonly GroupBy[]) =>
  group.keys
    .map(({ value }, at) => `${value} ${formatValue(by[at]!, value)}`)
    .join(' ')
    .toLowerCase();

/**
 * Returns the number of groups that are not shown: those in the result, and those that the service has only counted.
 */
const countHidden = ({ groups, otherCount }: GroupRowsFragment, shown: readonly Group[]) =>
  sumCounts(groups) - sumCounts(shown) + (otherCount ?? 0);

const sumCounts = (groups: readonly Group[]) => groups.reduce((sum, { count }) => sum + count, 0);

const getCount = (row: Group | DomainGroups) => ('groups' in row ? sumCounts(row.groups) : row.count);

interface RowsProps extends Pick<Props, 'title' | 'by' | 'view' | 'address' | 'fresh' | 'before'> {
  groups: readonly (Group | DomainGroups)[];
  most: number;
  totalCount: number;
  /** Lists the hosts of a domain separately. */
  open(domain: string): void;
}

function Rows({ title, by, groups, ...rest }: RowsProps) {
  const period = periodIn(rest.address);
  const isOfDays = toBars(period) === 'DAY';
  const { to } = toSpan(period);
  const isOngoing = to === undefined || to > Date.now();
  const hasChange =
    rest.before !== undefined || groups.some(row => 'countBefore' in row && row.countBefore !== null);
  const unit = isOfDays ? 'day' : 'time';
  return (
    <Table
      label={`${title}, data table`}
      class="groups"
      columns={[
        by.map(formatHeading).join(', '),
        numbers('Count'),
        ...(hasChange ? [numbers('Change', 'Compared with the previous period of the same length')] : []),
        isOfDays
          ? { children: 'Days', class: 'number days', title: 'On how many days, in UTC' }
          : numbers('Duration', 'From the first to the last'),
        { children: 'First', title: `The ${unit} of the first, in UTC` },
        { children: 'Last', title: `The ${unit} of the last, in UTC` },
        unseen('Actions'),
      ]}
    >
      {groups.map(row =>
        'groups' in row ? (
          <DomainRow key={row.domain} {...{ by, row, isOfDays, isOngoing, hasChange, ...rest }} />
        ) : (
          <GroupRow key={nameOfGroup(row)} {...{ by, group: row, isOfDays, isOngoing, hasChange, ...rest }} />
        ),
      )}
    </Table>
  );
}

interface AnyRowProps extends Omit<RowsProps, 'title' | 'groups'> {
  isOfDays: boolean;
  /** True if the period has not ended. */
  isOngoing: boolean;
  hasChange: boolean;
}

interface RowProps extends AnyRowProps {
  group: Group;
}

function GroupRow(props: RowProps) {
  const { by, group, most, totalCount, view, address, fresh, before, isOfDays, isOngoing, hasChange } = props;
  const { days, firstSeen, lastSeen, dailyCounts } = group;
  const keys = selectKeys(group, by);
  const hasNoise = keys.some(({ by, value }) => by === 'SOURCE_CLASS' && isNoise(value));
  return (
    <tr class={hasNoise ? 'noise' : undefined}>
      <th scope="row">
        <Meter share={group.count / most} />
        <span class="keys">
          {keys.map(({ by, value }, at) => (
            <bdi
              key={by}
              class={at === 0 ? undefined : 'second'}
              title={revealControlCharacters(value.slice(0, 500))}
            >
              {formatValue(by, value)}
            </bdi>
          ))}
          {fresh?.has(nameOfGroup(group)) && <NewBadge />}
          {isOfDays && dailyCounts && <Spark counts={dailyCounts} isOngoing={isOngoing} />}
        </span>
      </th>
      <CountCell number={group.count} total={totalCount} />
      {hasChange && <ChangeCell group={group} before={before} />}
      {isOfDays ? (
        <td class="number days" data-label="Days">
          {count(days)}
        </td>
      ) : (
        <NumberCell of="Duration">
          {group.count === 1 ? '–' : duration(Date.parse(lastSeen) - Date.parse(firstSeen))}
        </NumberCell>
      )}
      <SeenCells first={firstSeen} last={lastSeen} isOfDays={isOfDays} />
      <Actions keys={keys} view={view} address={address} />
    </tr>
  );
}

function CountCell({ number, total }: { number: number; total: number }) {
  return (
    <NumberCell of="Count" title={`${share(number, total)} of all`}>
      {count(number)}
    </NumberCell>
  );
}

/** Cells with the times of the first and the last report. */
function SeenCells({ first, last, isOfDays }: { first: string; last: string; isOfDays: boolean }) {
  const isOfOneDay = first.slice(0, 10) === last.slice(0, 10);
  const how = isOfDays ? 'day' : isOfOneDay ? 'time' : 'moment';
  return (
    <>
      <td data-label="First">
        <Moment at={first} as={how} />
      </td>
      <td data-label="Last">
        <Moment at={last} as={how} />
      </td>
    </>
  );
}

function Meter({ share }: { share: number }) {
  return (
    <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width={share * 100} height="4" />
    </svg>
  );
}

/** The hosts of a domain. Their days can overlap, so only the most of a host is known. */
function DomainRow({
  by,
  row: { domain, groups },
  most,
  totalCount,
  view,
  address,
  isOfDays,
  isOngoing,
  hasChange,
  open,
}: AnyRowProps & { row: DomainGroups }) {
  const total = sumCounts(groups);
  const before = groups.reduce<number | null>(
    (sum, { countBefore }) => (sum === null || countBefore === null ? null : sum + countBefore),
    0,
  );
  const name = revealControlCharacters(domain);
  const dailyCounts = addDays(groups);
  const seen = groups.flatMap(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]).sort();
  const [first, last] = [seen[0]!, seen.at(-1)!];
  return (
    <tr>
      <th scope="row">
        <Meter share={total / most} />
        <span class="keys">
          <bdi>{name}</bdi>
          <button type="button" class="second" onClick={() => open(domain)}>
            Show {count(groups.length)} hosts
          </button>
          {isOfDays && dailyCounts && <Spark counts={dailyCounts} isOngoing={isOngoing} />}
        </span>
      </th>
      <CountCell number={total} total={totalCount} />
      {hasChange && (
        <NumberCell of="Change">{before === null ? '–' : changeInWords(total, before)}</NumberCell>
      )}
      <NumberCell of={isOfDays ? 'Days' : 'Duration'} title="At least">
        {isOfDays
          ? `≥ ${count(Math.max(...groups.map(({ days }) => days)))}`
          : duration(Date.parse(last) - Date.parse(first))}
      </NumberCell>
      <SeenCells first={first} last={last} isOfDays={isOfDays} />
      <DomainActions param={findFilter(by[0]!, domain, view.type)} domain={domain} address={address} />
    </tr>
  );
}

/** Returns the address with these values of a filter excluded as well. */
function withExclusions(address: Address, filter: string, values: readonly string[]): Address {
  const name = `not.${filter}`;
  return withParams(address, { [name]: [...new Set([...address.params.getAll(name), ...values])] });
}

/** Links that filter by a domain and its subdomains, or exclude them, also in the visitor's later views. */
function DomainActions({
  param,
  domain,
  address,
}: {
  param: string | undefined;
  domain: string;
  address: Address;
}) {
  const { account } = useContext(SessionContext);
  if (param === undefined) return <td class="icons" />;
  const patterns = listPatterns(domain);
  const label = revealControlCharacters(domain);
  return (
    <td class="icons">
      <IconLink
        icon="filter"
        to={withParams(address, { [param]: patterns })}
        label={`Filter by all hosts of ${label}`}
      />
      <IconLink
        icon="exclude"
        to={withExclusions(address, param, patterns)}
        label={`Exclude all hosts of ${label}, also in later visits`}
        onClick={() => keepExcluded(account, param, domain)}
      />
    </td>
  );
}

/**
 * A cell with the change from the previous period. A group that is not listed there had at most the count of the
 * smallest listed group.
 */
function ChangeCell({ group, before }: { group: Group; before: GroupCountsFragment | undefined }) {
  const { count: now, countBefore } = group;
  if (countBefore !== null || !before)
    return (
      <NumberCell of="Change" title={`${count(countBefore ?? 0)} before`}>
        {changeInWords(now, countBefore ?? 0)}
      </NumberCell>
    );
  const found = before.groups.find(one => nameOfGroup(one) === nameOfGroup(group))?.count;
  const isRare = found === undefined && before.otherGroups > 0;
  const least = before.groups.at(-1)?.count ?? 0;
  return (
    <NumberCell
      of="Change"
      title={`${isRare ? 'At most ' : ''}${count(found ?? (isRare ? least : 0))} before`}
    >
      {isRare ? `at least ${changeInWords(group.count, least)}` : changeInWords(group.count, found ?? 0)}
    </NumberCell>
  );
}

interface Key {
  by: GroupBy;
  value: string;
}

/** Returns the keys to show. An empty blocked host is omitted, because the other key then describes the source. */
function selectKeys(group: Group, dimensions: readonly GroupBy[]): Key[] {
  const keys = group.keys.map(({ value }, at) => ({ by: dimensions[at]!, value }));
  return keys.filter(({ by, value }) => by !== 'BLOCKED_HOST' || value !== '' || keys.length === 1);
}

function Actions({ keys, view, address }: { keys: readonly Key[]; view: ReportTypeView; address: Address }) {
  const filterable = keys.flatMap(({ by, value }) => {
    const param = findFilter(by, value, view.type);
    return param ? [{ param, value, name: formatValue(by, value) }] : [];
  });
  if (filterable.length === 0) return <td class="icons" />;
  const all = keys.map(({ by, value }) => formatValue(by, value)).join(', ');
  const [first] = filterable as [(typeof filterable)[number]];
  // True if the first key identifies the row. Otherwise, excluding it would exclude more than this row.
  const isWhole = keys.length === 1 || keys[0]!.by === 'BLOCKED_HOST';
  const what = isWhole ? '' : ` ${FILTERS[first.param]}`;
  const lookUp = toLookUpUrl(keys[0]!.by, keys[0]!.value);
  return (
    <td class="icons">
      <IconLink
        icon="filter"
        to={withParams(address, Object.fromEntries(filterable.map(({ param, value }) => [param, value])))}
        label={`Filter by ${all}`}
      />
      <IconLink
        icon="exclude"
        to={withExclusions(address, first.param, [first.value])}
        label={`Exclude${what} ${first.name}`}
      />
      {lookUp && (
        <a
          class="icon-link"
          href={lookUp}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Look up ${first.name} elsewhere`}
          title={`Look up ${first.name} elsewhere`}
        >
          <Outline icon="open" />
        </a>
      )}
    </td>
  );
}
