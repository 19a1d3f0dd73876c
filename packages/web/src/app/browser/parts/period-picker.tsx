import { useRef } from 'preact/hooks';
import { type Address, goTo, withParams } from '../address.ts';
import {
  atPeriod,
  neighbour,
  type PagePeriod,
  periodIn,
  periodName,
  RECENT,
  recentIn,
  toSpan,
} from '../period.ts';
import { Link } from './link.tsx';

/** The selected period, with links to other periods. */
export function PeriodPicker({ address }: { address: Address }) {
  const period = periodIn(address);
  const recent = recentIn(address)?.[0];
  const length = period.unit?.slice(0, -1) ?? 'period';
  return (
    <fieldset class="period" aria-label="Period">
      {RECENT.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === recent}
          onClick={() => goTo(withParams(address, atPeriod(name)))}
        >
          {label}
        </button>
      ))}
      <FreePeriod address={address} period={period} />
      <span class="steps">
        <Step address={address} to={neighbour(period, -1)} label={`The previous ${length}`}>
          ‹
        </Step>
        <span class="quiet">{periodName(period)}</span>
        <Step address={address} to={neighbour(period, 1)} label={`The next ${length}`}>
          ›
        </Step>
      </span>
    </fieldset>
  );
}

interface StepProps {
  address: Address;
  to: PagePeriod | undefined;
  label: string;
  children: string;
}

function Step({ address, to, label, children }: StepProps) {
  if (!to) return null;
  return (
    <Link to={withParams(address, atPeriod(to))} label={label} title={label} class="step">
      {children}
    </Link>
  );
}

/** A form for a period between any two minutes, in UTC. */
function FreePeriod({ address, period }: { address: Address; period: PagePeriod }) {
  const details = useRef<HTMLDetailsElement>(null);
  const { from, to } = toSpan(period);
  const local = (at: number) => new Date(at).toISOString().slice(0, 16);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [begin, end] = ['from', 'to'].map(name => `${fields.get(name)}:00Z`) as [string, string];
    details.current!.open = false;
    goTo(withParams(address, atPeriod({ from: begin, to: end })));
  };
  return (
    <details class="free" ref={details} onKeyDown={closeOnEscape}>
      <summary>From, to</summary>
      <form onSubmit={submit}>
        <label>
          From (UTC) <input type="datetime-local" name="from" required value={local(from)} />
        </label>
        <label>
          To (UTC) <input type="datetime-local" name="to" required value={local(to ?? Date.now())} />
        </label>
        <button type="submit">Show</button>
      </form>
    </details>
  );
}

/** Closes an open `details` element. */
export function closeOnEscape(event: KeyboardEvent & { currentTarget: HTMLDetailsElement }): void {
  if (event.key !== 'Escape') return;
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary')?.focus();
}
