import type { ComponentChildren } from 'preact';
import { type Address, atPath, withParams } from '../address.ts';
import { hidesNoise, listChips } from '../filters.ts';
import { atPeriod, RECENT, recentIn } from '../period.ts';
import type { ReportTypeView } from '../report-types.ts';
import { Link } from './link.tsx';
import { Empty } from './states.tsx';

interface Props {
  view: ReportTypeView;
  address: Address;
  /** A note shown if the period exceeds the retention. */
  retention: ComponentChildren;
}

/** A message for a view without reports, with links to other periods and filters. */
export function NoReports({ view, address, retention }: Props) {
  const chips = listChips(address);
  const isFiltered = chips.length > 0 || hidesNoise(address);
  const all = Object.fromEntries(chips.map(({ param }) => [param, undefined]));
  const [longest] = RECENT.at(-1)!;
  const isLongest = recentIn(address)?.[0] === longest;
  return (
    <Empty>
      No {view.one ?? view.label} reports in this period{isFiltered && ' with these filters'}. {retention}{' '}
      {isFiltered ? (
        <Link to={withParams(address, { ...all, noise: undefined })}>Remove all filters</Link>
      ) : isLongest ? (
        <Link to={atPath(address, ['setup'])}>What to add to your site to receive reports</Link>
      ) : (
        <Link to={withParams(address, atPeriod(longest))}>Show 90 days</Link>
      )}
    </Empty>
  );
}
