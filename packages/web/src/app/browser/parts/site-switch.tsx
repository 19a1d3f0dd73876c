import { useContext } from 'preact/hooks';
import { type Address, atPath, goTo, withParams } from '../address.ts';
import { SiteNamesDocument } from '../documents/documents.generated.ts';
import { dayBefore, revealControlCharacters } from '../format.ts';
import { PERIOD_PARAMS } from '../period.ts';
import { findView } from '../report-types.ts';
import { FILTERS_BY_TYPE } from '../tables.generated.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';

/** The number of days whose reports name the sites. */
const DAYS = 30;

/**
 * Restricts the reports to one site. From the watches it leads to the CSP reports. The overview has a table of sites,
 * and other views are not about sites.
 */
export function SiteSwitch({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const param = findParam(address);
  const isShown = param !== undefined || address.path[0] === 'watches';
  const variables = { account, from: dayBefore(DAYS - 1) };
  const { answer } = useAnswer(SiteNamesDocument, isShown ? variables : undefined, address);
  if (!isShown) return null;
  const current = (param && address.params.get(param)) ?? '';
  const { csp, nel } = answer?.data.account ?? {};
  const groups = [...(csp?.groups ?? []), ...(nel?.groups ?? [])];
  const found = groups.map(({ keys }) => keys[0]!.value);
  const names = [...new Set([...found, current])].filter(name => name !== '').sort();
  if (names.length < 2 && current === '') return null;
  const choose = (site: string) => {
    const hostnames = site || undefined;
    goTo(
      param
        ? withParams(address, { [param]: hostnames })
        : withParams(atPath(address, ['csp'], PERIOD_PARAMS), { hostnames }),
    );
  };
  return (
    <label class="site">
      Site
      <select value={current} onChange={event => choose(event.currentTarget.value)}>
        <option value="" selected={current === ''}>
          All sites
        </option>
        {names.map(name => (
          <option key={name} value={name} selected={name === current}>
            {revealControlCharacters(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the parameter that restricts a view to a site, or undefined if the view has none. */
function findParam({ path: [name = ''] }: Address): string | undefined {
  if (name === 'try-policy') return 'site';
  const view = findView(name);
  return view && FILTERS_BY_TYPE[view.type].includes('hostnames') ? 'hostnames' : undefined;
}
