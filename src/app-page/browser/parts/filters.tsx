import { type Address, changed, goTo } from '../address.ts';
import type { GroupCountsFragment } from '../documents/documents.generated.ts';
import {
  chipsOf,
  hidesNoise,
  kindOf,
  neighbour,
  type Period,
  periodIn,
  periodName,
  RECENT,
  recentIn,
} from '../filters.ts';
import { count, plural } from '../format.ts';
import { NOISE } from '../report-types.ts';
import { inWords } from '../words.ts';
import { Link } from './link.tsx';

/** What the numbers below are of: the period and every filter, each of which can be taken away. */
export function PeriodPicker({ address }: { address: Address }) {
  const period = periodIn(address);
  const recent = recentIn(address)[0];
  return (
    <fieldset class="period" aria-label="Period">
      {RECENT.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={!period.unit && name === recent}
          onClick={() => goTo(changed(address, { period: name, unit: undefined, date: undefined }))}
        >
          {label}
        </button>
      ))}
      <Step address={address} to={neighbour(period, -1)} label={`The ${period.unit?.slice(0, -1)} before`}>
        ‹
      </Step>
      <span class="quiet">{periodName(period)}</span>
      <Step address={address} to={neighbour(period, 1)} label={`The next ${period.unit?.slice(0, -1)}`}>
        ›
      </Step>
    </fieldset>
  );
}

interface StepProps {
  address: Address;
  to: Period | undefined;
  label: string;
  children: string;
}

function Step({ address, to, label, children }: StepProps) {
  if (!to) return null;
  return (
    <Link to={changed(address, { unit: to.unit, date: to.date })} label={label} title={label} class="step">
      {children}
    </Link>
  );
}

/** What is said where a period begins before the reports that the account still has. */
export function Retention({ days }: { days: number }) {
  return <span>This account keeps reports for {plural(days, 'day')}: older ones are gone.</span>;
}

export function Chips({ address }: { address: Address }) {
  const chips = chipsOf(address);
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters">
      {chips.map(({ param, label, value, isNot }) => {
        const left = address.params.getAll(param).filter(other => other !== value);
        const text = valueName(param.replace(/^not\./, ''), value);
        return (
          <li key={`${param} ${value}`} class={isNot ? 'not' : undefined}>
            {isNot ? 'without ' : ''}
            {label} <bdi title={value}>{text}</bdi>
            <Link
              to={changed(address, { [param]: left })}
              label={`Remove filter: ${isNot ? 'without ' : ''}${label} ${text}`}
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

function valueName(filter: string, value: string): string {
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
    .filter(({ keys }) => (NOISE as readonly string[]).includes(keys[0]!.value))
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
