import { addressIn, revealControlCharacters } from '../format.ts';

/** Fields that contain URLs. */
export const ADDRESSES: ReadonlySet<string> = new Set(['uri', 'blockedUri', 'subresourceUri']);

const LONGEST = 300;

/** Shows a URL in two lines: the host above the path. Other texts are shown unchanged. */
export function Uri({ text }: { text: string }) {
  if (text === '') return <span class="quiet">–</span>;
  const url = /^https?:/.test(text) ? addressIn(text) : undefined;
  const whole = revealControlCharacters(text.slice(0, LONGEST));
  if (!url) return <bdi class="clip">{whole}</bdi>;
  // The text is split without parsing, so that it is shown exactly as reported.
  const rest = text.slice(text.indexOf('//') + 2);
  const slash = rest.search(/[/?#]/);
  const [host, path] = slash < 0 ? [rest, '/'] : [rest.slice(0, slash), rest.slice(slash)];
  return (
    <span class="uri" title={whole}>
      <bdi class="clip">
        {url.protocol === 'http:' && 'http://'}
        {revealControlCharacters(host)}
      </bdi>
      <bdi class="clip quiet">{revealControlCharacters(path.slice(0, LONGEST))}</bdi>
    </span>
  );
}
