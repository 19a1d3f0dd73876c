import { type Address, atPath, withParams } from '../address.ts';
import type { GroupReachFragment } from '../documents/documents.generated.ts';
import { plural, revealControlCharacters } from '../format.ts';
import { newSince } from '../news.ts';
import { Link } from './link.tsx';
import { Moment } from './moment.tsx';
import { NewBadge } from './new-badge.tsx';

interface Props {
  rows: GroupReachFragment['groups'];
  address: Address;
  param: string;
  type: string;
  /** Values first seen since this day are marked as new. The default is a week ago. */
  since?: string;
  /** Returns the name to show for a value. */
  getName?(value: string): string;
}

/** Number of characters of an instant up to its second. Fractions are not compared, because their format varies. */
const SECOND = 19;

/** A list of groups by their first key, each linked to its reports. */
export function HostList({
  rows,
  address,
  param,
  type,
  since = newSince(),
  getName: nameOf = value => value,
}: Props) {
  return (
    <ul class="list">
      {rows.map(({ keys, count: reports, days, firstSeen }) => {
        const { value } = keys[0]!;
        return (
          <li key={keys.map(({ value }) => value).join('\0')}>
            <span class="line">
              {value === '' ? (
                'unknown'
              ) : (
                <Link
                  to={withParams(atPath(address, [type]), { [param]: value })}
                  class="clip"
                  title={revealControlCharacters(value)}
                >
                  <bdi>{revealControlCharacters(nameOf(value))}</bdi>
                </Link>
              )}
              {firstSeen.slice(0, SECOND) >= since.slice(0, SECOND) && <NewBadge />}
            </span>
            <span class="quiet">
              {plural(reports, 'report')} on {plural(days, 'day')}, since <Moment at={firstSeen} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
