import { useContext, useState } from 'preact/hooks';
import { Copy } from '../../../../browser/copy.tsx';
import { dayBefore, escapedJson, longDay, revealControlCharacters } from '../../format.ts';
import { SessionContext } from '../../use-answer.ts';
import { VERDICT_WORDS } from '../../words.ts';
import type { OverviewInsight } from './data.ts';

/** Checks whether a verdict of the team accepts the insight. */
export const isDismissed = ({ verdict }: Pick<OverviewInsight, 'verdict'>) =>
  verdict != null && verdict.verdict !== 'notMine';

/** The team's decision on an insight: its author, end and reason. */
export function Decision({ insight: { verdict } }: { insight: OverviewInsight }) {
  if (!verdict) return null;
  const { decidedBy, expiresAt, reason } = verdict;
  return (
    <p class="quiet">
      {isDismissed({ verdict }) ? 'Dismissed' : 'Judged'} by <bdi>{revealControlCharacters(decidedBy)}</bdi>
      {expiresAt && ` until ${longDay(expiresAt)}`} ({VERDICT_WORDS[verdict.verdict]}):{' '}
      <bdi>{revealControlCharacters(reason)}</bdi>
    </p>
  );
}

interface Fields {
  reason: string;
  decidedBy: string;
  /** The last day of the dismissal, `2026-01-31`; empty for no end. */
  until: string;
}

/** Returns a line of the feed that dismisses an insight until its count doubles. */
function toVerdictLine(
  accountId: string,
  { id, count }: OverviewInsight,
  { reason, decidedBy, until }: Fields,
): string {
  const verdict = {
    kind: 'verdict',
    accountId,
    subjectKind: 'insight',
    subject: id,
    verdict: 'accepted',
    count,
    reason,
    decidedBy,
    decidedAt: `${new Date().toISOString().slice(0, 19)}Z`,
    ...(until && { expiresAt: `${until}T00:00:00Z` }),
  };
  return escapedJson(JSON.stringify(verdict));
}

/**
 * A form that generates the feed line of a dismissal. The page cannot store it, because the service is read-only, so
 * the team loads the line.
 */
export function DismissForm({ insight }: { insight: OverviewInsight }) {
  const { account } = useContext(SessionContext);
  const [line, setLine] = useState('');
  const write = (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const read = (name: keyof Fields) => String(fields.get(name)).trim();
    const values = { reason: read('reason'), decidedBy: read('decidedBy'), until: read('until') };
    const isComplete = form.checkValidity() && values.reason !== '' && values.decidedBy !== '';
    setLine(isComplete ? toVerdictLine(account, insight, values) : '');
  };
  return (
    <form
      class="dismiss"
      aria-label={`Dismiss: ${revealControlCharacters(insight.title)}`}
      onInput={event => write(event.currentTarget)}
      onSubmit={event => event.preventDefault()}
    >
      <label>
        Reason <input name="reason" required maxLength={1000} autocomplete="off" />
      </label>
      <label>
        Decided by <input name="decidedBy" required maxLength={254} placeholder="ann@acme.example" />
      </label>
      <label>
        Until (UTC) <input name="until" type="date" min={dayBefore(-1)} max="2199-12-31" />
      </label>
      {line === '' ? (
        <p class="quiet">Enter a reason and a name to get the line for your team's verdict file.</p>
      ) : (
        <>
          <p class="quiet">
            Add this line to your team's verdict file, and load the file with{' '}
            <code>sightline load verdicts.ndjson</code>. The insight is then dismissed for the whole team,
            until it has twice as many reports.
          </p>
          <pre tabIndex={0}>{line}</pre>
          <Copy text={`${line}\n`} label="Copy the line" />
        </>
      )}
    </form>
  );
}
