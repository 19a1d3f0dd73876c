import { type Address, atPath, withParams } from '../address.ts';
import type { FindingRowsFragment } from '../documents/documents.generated.ts';
import { plural, revealControlCharacters } from '../format.ts';
import { Link } from './link.tsx';

export type FindingGroup = FindingRowsFragment['groups'][number];

/** The filter that selects the reports of a host, by the report type that is its source. */
const HOST_FILTER: Readonly<Record<string, string>> = {
  csp: 'blockedHostnames',
  csp_integrity: 'subresourceHostnames',
  integrity_policy: 'blockedHostnames',
};

/** Returns the address of the reports on a host, or on all hosts of a domain; undefined if no filter selects them. */
export function toReportsAddress(
  { name, isDomain, source }: Pick<FindingGroup, 'name' | 'isDomain'> & { source: string | null },
  address: Address,
): Address | undefined {
  const filter = source && HOST_FILTER[source];
  if (!filter) return undefined;
  const hosts = isDomain ? [name, `*.${name}`] : [name];
  return withParams(atPath(address, [source]), { [filter]: hosts });
}

/** The name of a group, linked to its reports. */
export function FindingName({ group, address }: { group: FindingGroup; address: Address }) {
  const to = toReportsAddress(group, address);
  const name = <bdi class="wrap">{revealControlCharacters(group.name)}</bdi>;
  return (
    <>
      {to ? <Link to={to}>{name}</Link> : name}
      {group.isDomain && <span class="quiet"> {plural(group.findings, 'address', 'addresses')}</span>}
      {group.isSensitive && <span class="warn"> on pages for payment or login</span>}
    </>
  );
}
