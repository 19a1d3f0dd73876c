import type { OverviewQuery } from '../documents/documents.generated.ts';
import { count } from '../format.ts';
import { REPORT_TYPES } from '../report-types.ts';

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
      <section class="scroll" tabIndex={0} aria-label="What became of the reports, by type">
        <table class="stack pairs">
          <thead>
            <tr>
              <th scope="col">Type</th>
              {OUTCOMES.map(outcome => (
                <th scope="col" class="number" key={outcome}>
                  {outcome}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ type, accepted, filtered, sampled, rejected }) => (
              <tr key={type}>
                <th scope="row">{labels.get(type) ?? type}</th>
                {[accepted, filtered, sampled, rejected].map((value, at) => (
                  <td class="number" key={OUTCOMES[at]} data-label={OUTCOMES[at]}>
                    {count(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
