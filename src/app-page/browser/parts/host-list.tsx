import { type Address, changed, elsewhere } from '../address.ts';
import type { GroupRowsFragment } from '../documents/documents.generated.ts';
import { plural } from '../format.ts';
import { Link } from './link.tsx';
import { Moment } from './moment.tsx';

interface Props {
  rows: GroupRowsFragment['groups'];
  address: Address;
  param: string;
  type: string;
}

/** Groups by their first key, each leading to its reports. */
export function HostList({ rows, address, param, type }: Props) {
  return (
    <ul class="list">
      {rows.map(({ keys, count: reports, days, firstSeen }) => {
        const { value } = keys[0]!;
        return (
          <li key={value}>
            {value === '' ? (
              'not told'
            ) : (
              <Link to={changed(elsewhere(address, [type]), { [param]: value })} class="clip">
                <bdi>{value}</bdi>
              </Link>
            )}
            <span class="quiet">
              {plural(reports, 'report')} on {plural(days, 'day')}, since <Moment at={firstSeen} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
