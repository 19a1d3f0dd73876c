import type { VerdictWordsFragment } from '../documents/documents.generated.ts';
import { revealControlCharacters } from '../format.ts';
import { VERDICT_WORDS } from '../words.ts';

/** The team's verdict. The tooltip shows its author and reason. */
export function VerdictMark({ verdict: { verdict, reason, decidedBy } }: { verdict: VerdictWordsFragment }) {
  const title = revealControlCharacters(`${decidedBy}: ${reason}`);
  return (
    <span class={verdict === 'notMine' ? 'kind urgent' : 'kind'} title={title}>
      {VERDICT_WORDS[verdict]}
    </span>
  );
}
