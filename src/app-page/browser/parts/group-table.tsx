import type { Address } from '../address.ts';
import { changed } from '../address.ts';
import type { GroupBy, GroupRowsFragment, ReportTypeName } from '../documents/documents.generated.ts';
import { FILTER_OF, filterOf } from '../filters.ts';
import { count, issuerName, share } from '../format.ts';
import { isNew } from '../news.ts';
import { NOISE } from '../report-types.ts';
import { inWords } from '../words.ts';
import { Link } from './link.tsx';
import { Moment } from './moment.tsx';
import { NewBadge } from './new-badge.tsx';

type Group = GroupRowsFragment['groups'][number];

interface Props {
  title: string;
  by: readonly GroupBy[];
  rows: GroupRowsFragment;
  type: ReportTypeName;
  /** Where the view is: what is picked or left out is added to it. */
  address: Address;
  /** Whether what is new is marked: where some of it can be, but not all is. */
  isMarking: boolean;
}

/** Groups with a bar each, so that the table is its own picture. */
export function GroupTable({ title, by, rows, type, address, isMarking }: Props) {
  const { groups, otherGroups, otherCount, totalCount } = rows;
  const about = aboutOf(by[0]!, type);
  const most = Math.max(1, ...groups.map(group => group.count));
  return (
    <section class="panel" aria-label={title}>
      <h3>{title}</h3>
      {about && <p class="quiet">{about}</p>}
      {groups.length === 0 ? (
        <p class="quiet">No reports.</p>
      ) : (
        <section class="scroll" tabIndex={0} aria-label={`${title}, as a table`}>
          <table class="groups stack">
            <thead>
              <tr>
                <th scope="col">{by.map(headingOf).join(', ')}</th>
                <th scope="col" class="number">
                  Count
                </th>
                <th scope="col" class="number" title="On how many days, in UTC">
                  Days
                </th>
                <th scope="col" title="The day on which the first came, in UTC">
                  First
                </th>
                <th scope="col" title="The day on which the last came, in UTC">
                  Last
                </th>
                <th scope="col">
                  <span class="sr-only">Filter</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map(group => (
                <GroupRow
                  key={group.keys.map(({ value }) => value).join('\0')}
                  {...{ by, group, most, totalCount, type, address, isMarking }}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {otherGroups > 0 && (
        <p class="quiet">
          {count(otherGroups)} more {otherGroups === 1 ? 'group' : 'groups'}
          {otherCount !== null && ` with a count of ${count(otherCount ?? 0)}`}{' '}
          {otherGroups === 1 ? 'is' : 'are'} not shown.
        </p>
      )}
    </section>
  );
}

interface RowProps {
  by: readonly GroupBy[];
  group: Group;
  most: number;
  totalCount: number;
  type: ReportTypeName;
  address: Address;
  isMarking: boolean;
}

function GroupRow({ by, group, most, totalCount, type, address, isMarking }: RowProps) {
  const { days, firstSeen, lastSeen } = group;
  const keys = telling(group, by);
  const isNoise = keys.some(
    ({ by, value }) => by === 'SOURCE_CLASS' && (NOISE as readonly string[]).includes(value),
  );
  const named = keys.map(({ by, value }) => ({
    name: shown(by, value),
    param: filterOf(by, value, type),
    value,
  }));
  const known = named.filter((key): key is Key => key.param !== undefined);
  const name = named.map(({ name }) => name).join(', ');
  return (
    <tr class={isNoise ? 'noise' : undefined}>
      <th scope="row">
        <span class="keys">
          {keys.map(({ by, value }, at) => (
            <bdi key={by} class={at === 0 ? undefined : 'second'} title={value.slice(0, 500)}>
              {shown(by, value)}
            </bdi>
          ))}
          {isMarking && isNew(firstSeen) && <NewBadge />}
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
        <Moment at={firstSeen} isDay />
      </td>
      <td data-label="Last">
        <Moment at={lastSeen} isDay />
      </td>
      <td class="actions">
        {known.length > 0 && (
          <>
            <Link
              to={changed(address, Object.fromEntries(known.map(({ param, value }) => [param, value])))}
              label={`Only ${name}`}
              title="Only such"
            >
              only
            </Link>
            <Link to={without(address, known[0]!)} label={`Without ${known[0]!.name}`} title="Without such">
              without
            </Link>
          </>
        )}
      </td>
    </tr>
  );
}

/** What is blocked without a host is told by its source alone. */
function telling(group: Group, dimensions: readonly GroupBy[]): { by: GroupBy; value: string }[] {
  const keys = group.keys.map(({ value }, at) => ({ by: dimensions[at]!, value }));
  return keys.filter(({ by, value }) => by !== 'BLOCKED_HOST' || value !== '' || keys.length === 1);
}

/** A key that reports can be filtered by. */
interface Key {
  name: string;
  param: string;
  value: string;
}

/** What matches any exclusion is left out: so it is the first key of a group that is excluded. */
function without(address: Address, { param, value }: Key): Address {
  const name = `not.${param}`;
  return changed(address, { [name]: [...new Set([...address.params.getAll(name), value])] });
}

/** What the values of a dimension are called, where its own name says less. */
const HEADINGS: Partial<Record<GroupBy, string>> = {
  PAGE_HOST: 'Host',
  PAGE_PATH: 'Path',
  SOURCE_CLASS: 'Source',
  SUBRESOURCE_HOST: 'Host',
  PROPERTY: 'Feature',
  FEATURE_ID: 'Feature',
  NEL_TYPE: 'Error',
  ORGANISATION: 'Network',
  SERVER_IP: 'Server address',
  SOURCE_ORGANISATION: 'Sender',
  SOURCE_IP: 'Address',
  HEADER_FROM: 'From domain',
  DKIM: 'DKIM',
  SPF: 'SPF',
  RESULT_TYPE: 'Failure',
  POLICY_TYPE: 'Policy',
  CERT_TYPE: 'Kind',
};

/** What a newcomer may not know of a grouping. */
const ABOUT: Partial<Record<GroupBy, string>> = {
  DIRECTIVE: 'The part of the policy that was violated.',
  DESTINATION: 'What was to be loaded: a script, a font, a frame.',
  HASH: 'A file whose content has changed has another hash.',
  NEL_TYPE: 'What failed, and when: looking up the name (dns), connecting, or in the answer (application).',
  REPORTER: 'The mail services that received the mail, and told of it.',
  CERT_TYPE: 'Most issuers log a precertificate first, and the certificate itself later.',
  POLICY_TYPE: 'How your domain says that mail must come over TLS.',
  SOURCE_ORGANISATION: 'Mail is aligned where SPF or DKIM vouches for the domain in its From line.',
  DKIM: 'A signature in the mail, and a list of the servers that may send it. One of them is enough.',
};

const BY_TYPE: Readonly<Record<string, string>> = {
  'coep VIOLATION': 'What was refused: corp is a resource that does not allow to be embedded.',
  'coop VIOLATION': 'How a window and the one that opened it were kept apart.',
};

function aboutOf(by: GroupBy, type: ReportTypeName): string | undefined {
  return BY_TYPE[`${type} ${by}`] ?? ABOUT[by];
}

/** `BLOCKED_HOST` as `Blocked host`. */
function headingOf(by: GroupBy): string {
  const words = by.toLowerCase().replaceAll('_', ' ');
  return HEADINGS[by] ?? words[0]!.toUpperCase() + words.slice(1);
}

/** A value in words; an empty one says that the reports do not tell. */
export function shown(by: GroupBy, value: string): string {
  if (value === '') return NOT_TOLD[by] ?? 'not told';
  if (by === 'DKIM' || by === 'SPF') return `${by} ${value}`;
  return by === 'ISSUER' ? issuerName(value) : inWords(FILTER_OF[by] ?? '', value);
}

const NOT_TOLD: Partial<Record<GroupBy, string>> = { BLOCKED_HOST: 'no host', RESULT_TYPE: 'no failure' };
