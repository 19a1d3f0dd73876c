import { useEffect, useRef, useState } from 'preact/hooks';
import { follow } from '../address.ts';
import { count, share } from '../format.ts';
import { Block } from './bar-block.tsx';
import type { Bar, BarSeries } from './bars.ts';

/** Checks whether a bar is between two others or is one of them. */
export const isWithin = (at: number, one: number | undefined, other: number | undefined) =>
  one !== undefined && other !== undefined && at >= Math.min(one, other) && at <= Math.max(one, other);

/**
 * A hook that tracks the bar under the pointer and the bar at which a drag began. A tap shows a bar's tooltip; a mouse
 * click opens the bar.
 */
export function usePointer(
  bars: readonly Bar[],
  hrefOfSeveral: ((first: number, last: number) => string) | undefined,
) {
  const [pointed, setPointed] = useState<number>();
  const [from, setFrom] = useState<number>();
  const isTouch = useRef(false);
  useEffect(() => {
    if (from === undefined) return;
    const stop = () => setFrom(undefined);
    addEventListener('pointerup', stop);
    return () => removeEventListener('pointerup', stop);
  }, [from]);
  const handlers = (at: number) => ({
    onPointerEnter: () => setPointed(at),
    onPointerDown: (event: PointerEvent) => {
      isTouch.current = event.pointerType === 'touch';
      if (hrefOfSeveral && event.pointerType === 'mouse') setFrom(at);
    },
    onPointerUp: () => {
      if (hrefOfSeveral && from !== undefined && from !== at) follow(hrefOfSeveral(from, at));
    },
    onClick: () => {
      if (isTouch.current) setPointed(at);
      else if (bars[at]?.href) follow(bars[at].href);
    },
  });
  return { pointed, setPointed, from, handlers };
}

const MOST_MARKS = 4;

/**
 * The tooltip of a bar.
 * @param place horizontal centre of the bar in the chart, from 0 to 1
 */
export function Tip({
  bar,
  series,
  at,
  place,
}: {
  bar: Bar;
  series: BarSeries[];
  at: number;
  place: number;
}) {
  const parts = series.filter(({ values }) => values[at]);
  const total = parts.reduce((sum, { values }) => sum + values[at]!, 0);
  return (
    <div
      class="tip"
      aria-hidden="true"
      style={place > 0.5 ? { right: `${(1 - place) * 100}%` } : { left: `${place * 100}%` }}
    >
      <strong>{bar.name}</strong>
      {bar.local && <div class="quiet">{bar.local}</div>}
      {(bar.marks ?? []).slice(0, MOST_MARKS).map(({ text, isUrgent }) => (
        <div key={text} class={isUrgent ? 'warn' : 'quiet'}>
          <bdi>{text}</bdi>
        </div>
      ))}
      {parts.length === 0 && <div>none</div>}
      {parts.map(({ name, color, values }) => (
        <div key={name} class="tip-line">
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <Block color={color} width={10} height={10} rx={2} />
          </svg>
          <bdi class="clip">{name}</bdi>
          <span>
            {count(values[at]!)} <span class="quiet">{share(values[at]!, total)}</span>
          </span>
        </div>
      ))}
      {parts.length > 1 && <div class="tip-sum">{count(total)} in all</div>}
      {bar.href && (
        <a href={bar.href} class="tip-open" tabIndex={-1}>
          Open
        </a>
      )}
    </div>
  );
}
