import type { OverviewQuery } from '../documents/documents.generated.ts';
import { count } from '../format.ts';
import { REPORT_TYPES } from '../report-types.ts';
import { NumberCell, numbers, Table } from './table.tsx';

type Metric = NonNullable<OverviewQuery['account']>['usageMetrics'][number];

const OUTCOMES = ['Accepted', 'Filtered', 'Sampled out', 'Rejected'];

/** Reports of this month by type: accepted, filtered, sampled, rejected. */
export function UsageTable({ metrics }: { metrics: Metric[] }) {
  const labels = new Map<string, string>(REPORT_TYPES.map(({ type, label }) => [type, label]));
  const rows = metrics.filter(
    ({ accepted, filtered, sampled, rejected }) => accepted + filtered + sampled + rejected > 0,
  );
  if (rows.length === 0) return null;
  return (
    <section class="panel wide" aria-label="This month">
      <h2>
        This month <span class="quiet">what became of the reports that came</span>
      </h2>
      <Table
        label="What became of the reports, by type"
        class="pairs"
        columns={['Type', ...OUTCOMES.map(outcome => numbers(outcome))]}
      >
        {rows.map(({ type, accepted, filtered, sampled, rejected }) => (
          <tr key={type}>
            <th scope="row">{labels.get(type) ?? type}</th>
            {[accepted, filtered, sampled, rejected].map((value, at) => (
              <NumberCell key={OUTCOMES[at]} of={OUTCOMES[at]!}>
                {count(value)}
              </NumberCell>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}
