import { addressIn, revealed } from '../format.ts';

/** Fields that are addresses: their scheme says little, their path much. */
export const ADDRESSES: ReadonlySet<string> = new Set(['uri', 'blockedUri', 'subresourceUri']);

const LONGEST = 300;

/** An address in two lines, host over path; anything else as it is. */
export function Uri({ text }: { text: string }) {
  if (text === '') return <span class="quiet">–</span>;
  const url = /^https?:/.test(text) ? addressIn(text) : undefined;
  const whole = revealed(text.slice(0, LONGEST));
  if (!url) return <bdi class="clip">{whole}</bdi>;
  // As it came, not as the browser reads it: an attacker may count on the difference.
  const rest = text.slice(text.indexOf('//') + 2);
  const slash = rest.search(/[/?#]/);
  const [host, path] = slash < 0 ? [rest, '/'] : [rest.slice(0, slash), rest.slice(slash)];
  return (
    <span class="uri" title={whole}>
      <bdi class="clip">
        {url.protocol === 'http:' && 'http://'}
        {revealed(host)}
      </bdi>
      <bdi class="clip quiet">{revealed(path.slice(0, LONGEST))}</bdi>
    </span>
  );
}
