import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Address, changed, goTo } from '../address.ts';
import type { GroupCountsFragment } from '../documents/documents.generated.ts';
import { chipsOf, hidesNoise, kindOf } from '../filters.ts';
import { count, plural, revealed } from '../format.ts';
import { isNoise } from '../tables.generated.ts';
import { inWords } from '../words.ts';
import { Link } from './link.tsx';

/** A note for periods that begin before the oldest report of the account. */
export function Retention({ days }: { days: number }) {
  return <span>This account keeps reports for {plural(days, 'day')}: older ones are gone.</span>;
}

/** The filters that the numbers below follow; each can be taken away. */
export function Chips({ address }: { address: Address }) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number | undefined>(undefined);
  const chips = chipsOf(address);
  useLayoutEffect(() => {
    if (removed.current === undefined) return;
    const links = list.current?.querySelectorAll<HTMLElement>('a') ?? [];
    // The one that had the focus is gone: the next has it now, or all that the filters were of.
    (links[Math.min(removed.current, chips.length - 1)] ?? document.getElementById('content'))?.focus();
    removed.current = undefined;
  });
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters" ref={list}>
      {chips.map(({ param, label, value, isNot }, at) => {
        const left = address.params.getAll(param).filter(other => other !== value);
        const text = valueName(param.replace(/^not\./, ''), value);
        return (
          <li key={`${param} ${value}`} class={isNot ? 'not' : undefined}>
            {isNot ? 'without ' : ''}
            {label} <bdi title={revealed(value)}>{text}</bdi>
            <Link
              to={changed(address, { [param]: left })}
              label={`Remove filter: ${isNot ? 'without ' : ''}${label} ${text}`}
              onClick={() => {
                removed.current = at;
              }}
            >
              ×
            </Link>
          </li>
        );
      })}
      <li class="plain">
        <Link to={changed(address, Object.fromEntries(chips.map(({ param }) => [param, undefined])))}>
          Remove all filters
        </Link>
      </li>
    </ul>
  );
}

/** A value of a filter in words. */
export function valueName(filter: string, value: string): string {
  if (kindOf(filter) === 'yesNo') return value === 'true' ? 'yes' : 'no';
  return inWords(filter, value);
}

/** Hides what visitors' browsers and extensions cause, and says how much that is. */
export function NoiseSwitch({
  address,
  classes,
}: {
  address: Address;
  classes: GroupCountsFragment | null | undefined;
}) {
  const isHidden = hidesNoise(address);
  const noise = (classes?.groups ?? [])
    .filter(({ keys }) => isNoise(keys[0]!.value))
    .reduce((sum, group) => sum + group.count, 0);
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isHidden}
      onClick={() => goTo(changed(address, { noise: isHidden ? undefined : 'hidden' }))}
    >
      <span class="knob" aria-hidden="true" />
      <span>
        Hide browser noise
        {classes && (
          <span class="quiet">: {amountOf(noise, classes.totalCount, isHidden ? 'hidden' : 'hides')}</span>
        )}
      </span>
    </button>
  );
}

function amountOf(noise: number, all: number, word: 'hidden' | 'hides'): string {
  if (noise === 0) return 'there is none here';
  const reports = `${count(noise)} of ${plural(all, 'report')}`;
  return word === 'hides' ? `hides ${reports}` : `${reports} hidden`;
}
