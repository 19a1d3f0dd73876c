import { type Address, changed, elsewhere } from '../address.ts';
import type { GroupReachFragment } from '../documents/documents.generated.ts';
import { plural, revealed } from '../format.ts';
import { isNew } from '../news.ts';
import { Link } from './link.tsx';
import { Moment } from './moment.tsx';
import { NewBadge } from './new-badge.tsx';

interface Props {
  rows: GroupReachFragment['groups'];
  address: Address;
  param: string;
  type: string;
  /** The name of a value. */
  nameOf?(value: string): string;
}

/** Groups by their first key, each leading to its reports. */
export function HostList({ rows, address, param, type, nameOf = value => value }: Props) {
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
                <Link to={changed(elsewhere(address, [type]), { [param]: value })} class="clip" title={value}>
                  <bdi>{revealed(nameOf(value))}</bdi>
                </Link>
              )}
              {isNew(firstSeen) && <NewBadge />}
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
