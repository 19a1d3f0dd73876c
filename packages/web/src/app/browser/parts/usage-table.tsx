import type { OverviewQuery } from '../documents/documents.generated.ts';
import { count } from '../format.ts';
import { REPORT_TYPES } from '../report-types.ts';
import { NumberCell, numbers, Table } from './table.tsx';

type Metric = NonNullable<OverviewQuery['account']>['usageMetrics'][number];

const OUTCOMES = ['Accepted', 'Filtered', 'Sampled out', 'Rejected'];

/** A table of this month's reports by type: accepted, filtered, sampled and rejected. */
export function UsageTable({ metrics }: { metrics: Metric[] }) {
  const labels = new Map<string, string>(REPORT_TYPES.map(({ type, label }) => [type, label]));
  const rows = metrics.filter(
    ({ accepted, filtered, sampled, rejected }) => accepted + filtered + sampled + rejected > 0,
  );
  if (rows.length === 0) return null;
  return (
    <section class="panel wide" aria-label="Ingestion this month">
      <h2>Ingestion this month</h2>
      <Table
        label="Ingestion by type"
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
