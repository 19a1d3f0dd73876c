import type { ComponentChildren } from 'preact';
import { type Address, changed, elsewhere } from '../address.ts';
import { chipsOf, hidesNoise } from '../filters.ts';
import { atPeriod, RECENT, recentIn } from '../period.ts';
import type { ReportTypeView } from '../report-types.ts';
import { Link } from './link.tsx';
import { Empty } from './states.tsx';

interface Props {
  view: ReportTypeView;
  address: Address;
  /** A note on older reports. */
  retention: ComponentChildren;
}

/** Says of what there are none, and leads to where there may be some. */
export function NoReports({ view, address, retention }: Props) {
  const chips = chipsOf(address);
  const isFiltered = chips.length > 0 || hidesNoise(address);
  const all = Object.fromEntries(chips.map(({ param }) => [param, undefined]));
  const [longest] = RECENT.at(-1)!;
  const isLongest = recentIn(address)?.[0] === longest;
  return (
    <Empty>
      No {view.one ?? view.label} reports in this period{isFiltered && ' with these filters'}. {retention}{' '}
      {isFiltered ? (
        <Link to={changed(address, { ...all, noise: undefined })}>Remove all filters</Link>
      ) : isLongest ? (
        <Link to={elsewhere(address, ['setup'])}>What to add to your site to get some</Link>
      ) : (
        <Link to={changed(address, atPeriod(longest))}>Look at 90 days</Link>
      )}
    </Empty>
  );
}
