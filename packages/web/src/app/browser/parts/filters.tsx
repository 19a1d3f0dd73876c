import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { type Address, goTo, withParams } from '../address.ts';
import type { GroupCountsFragment } from '../documents/documents.generated.ts';
import { forgetExcluded } from '../excluded.ts';
import { type Chip, classify, hidesNoise, listChips } from '../filters.ts';
import { count, plural, revealControlCharacters } from '../format.ts';
import { isNoise } from '../tables.generated.ts';
import { SessionContext } from '../use-answer.ts';
import { inWords } from '../words.ts';
import { Link } from './link.tsx';

/** A note shown if the period begins before the account's oldest report. */
export function Retention({ days }: { days: number }) {
  return (
    <span>This account keeps reports for {plural(days, 'day')}. Older reports are no longer available.</span>
  );
}

/** The active filters, each with a link that removes it. */
export function Chips({ address }: { address: Address }) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number | undefined>(undefined);
  const chips = listChips(address);
  const { account } = useContext(SessionContext);
  const forget = ({ name, value, isNot }: Chip) => isNot && forgetExcluded(account, name, value);
  useLayoutEffect(() => {
    if (removed.current === undefined) return;
    const links = list.current?.querySelectorAll<HTMLElement>('a') ?? [];
    // When the focused filter is removed, focus moves to the next one, or to the content if none is left.
    (links[Math.min(removed.current, chips.length - 1)] ?? document.getElementById('content'))?.focus();
    removed.current = undefined;
  });
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters" ref={list}>
      {chips.map((chip, at) => {
        const { param, name, label, value, isNot } = chip;
        const left = address.params.getAll(param).filter(other => other !== value);
        const text = valueName(name, value);
        return (
          <li key={`${param} ${value}`} class={isNot ? 'not' : undefined}>
            {isNot ? 'not ' : ''}
            {label} <bdi title={revealControlCharacters(value)}>{text}</bdi>
            <Link
              to={withParams(address, { [param]: left })}
              label={`Remove filter: ${isNot ? 'not ' : ''}${label} ${text}`}
              onClick={() => {
                removed.current = at;
                forget(chip);
              }}
            >
              ×
            </Link>
          </li>
        );
      })}
      <li class="plain">
        <Link
          to={withParams(address, Object.fromEntries(chips.map(({ param }) => [param, undefined])))}
          onClick={() => chips.forEach(forget)}
        >
          Remove all filters
        </Link>
      </li>
    </ul>
  );
}

/** Formats a filter's value for people. */
export function valueName(filter: string, value: string): string {
  if (classify(filter) === 'yesNo') return value === 'true' ? 'yes' : 'no';
  return inWords(filter, value);
}

/** A switch that hides reports caused by visitors' browsers and extensions, with their share. */
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
      onClick={() => goTo(withParams(address, { noise: isHidden ? undefined : 'hidden' }))}
    >
      <span class="knob" aria-hidden="true" />
      <span>
        Hide browser noise
        {classes && (
          <span class="quiet">
            : {formatAmount(noise, classes.totalCount, isHidden ? 'hidden' : 'hides')}
          </span>
        )}
      </span>
    </button>
  );
}

function formatAmount(noise: number, all: number, word: 'hidden' | 'hides'): string {
  if (noise === 0) return 'no such reports';
  const reports = `${count(noise)} of ${plural(all, 'report')}`;
  return word === 'hides' ? `hides ${reports}` : `${reports} hidden`;
}
