import { useContext, useState } from 'preact/hooks';
import { Copy } from '../../../browser/copy.tsx';
import type { Address } from '../address.ts';
import { BlockedDocument, type BlockedQuery } from '../documents/documents.generated.ts';
import { count, dayBefore, revealControlCharacters } from '../format.ts';
import { Problem } from '../parts/states.tsx';
import { SessionContext, useAnswer } from '../use-answer.ts';

interface Props {
  /** The directive of the policy, and its sources. */
  name: string;
  sources: readonly string[];
  /** The violated directives for which this directive is the fallback, including itself. */
  directives: readonly string[];
  policyId?: string | undefined;
  address: Address;
}

/**
 * The sources that a directive has blocked, each with the line that would allow it. They are loaded when the section is
 * opened.
 */
export function Blocked({ name, sources, directives, ...props }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>What it blocked</summary>
      {isOpen &&
        directives.map(directive => (
          <section key={directive} aria-label={directive}>
            <h3>{revealControlCharacters(directive) || 'unknown'}</h3>
            <Origins directive={directive} line={[lineName(name, directive), ...sources]} {...props} />
          </section>
        ))}
    </details>
  );
}

/**
 * Returns the directive of the suggested line. For a violation of `script-src-elem` or `-attr`, it is not
 * `default-src`, which would allow more.
 */
function lineName(name: string, directive: string): string {
  return name === 'default-src' ? directive.replace(/-(elem|attr)$/, '') : name;
}

interface OriginsProps extends Pick<Props, 'policyId' | 'address'> {
  directive: string;
  line: readonly string[];
}

function Origins({ line, directive, policyId, address }: OriginsProps) {
  const { account } = useContext(SessionContext);
  const where = { effectiveDirective: directive, ...(policyId && { policyId }) };
  const query = useAnswer(BlockedDocument, { account, from: dayBefore(29), where }, address);
  if (query.error) return <Problem problem={query.error} retry={query.retry} />;
  const groups = query.isCurrent ? query.answer?.data.account?.reportGroups?.groups : undefined;
  if (!groups) return <p role="status">Loading</p>;
  return (
    <ul class="list">
      {groups.map(group => (
        <Origin key={group.keys.map(({ value }) => value).join('\0')} group={group} line={line} />
      ))}
    </ul>
  );
}

type Group = NonNullable<NonNullable<BlockedQuery['account']>['reportGroups']>['groups'][number];

const KEYWORDS: Readonly<Record<string, string>> = { data: 'data:', blob: 'blob:', sameOrigin: "'self'" };
/** Sources without a suggested line, because no policy can allow them or because it would defeat the policy. */
const UNSAFE: Readonly<Record<string, string>> = {
  inline:
    'A policy protects against injected inline code. A nonce or a hash allows one script or style and nothing else.',
  eval: "'unsafe-eval' lets any text run as code. Replace the script that needs it.",
  extension: 'It comes from a visitor’s browser: there is nothing to allow.',
  browser: 'It comes from a visitor’s browser: there is nothing to allow.',
  unknown: 'The reports do not say what it was.',
};

function Origin({ group, line }: { group: Group; line: readonly string[] }) {
  const [origin = '', source = ''] = group.keys.map(({ value }) => value);
  const isOrigin = /^https?:\/\/[\w.:-]+$/.test(origin);
  const allowed = KEYWORDS[source] ?? (isOrigin ? origin : undefined);
  const name = [...line.filter(word => word !== "'none'"), allowed].join(' ');
  return (
    <li>
      <span class="line">
        <bdi class="wrap">{revealControlCharacters(origin) || source}</bdi>{' '}
        <span class="quiet">{count(group.count)}</span>
      </span>
      {UNSAFE[source] ? (
        <span class="quiet">{UNSAFE[source]}</span>
      ) : (
        allowed && (
          <span>
            {source === 'external' && (
              <span class="warn">A third-party host: allow it only if you added it to the site. </span>
            )}
            <code class="wrap">{name}</code> <Copy text={name} label="Copy" />
          </span>
        )
      )}
    </li>
  );
}
