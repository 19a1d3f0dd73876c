import type { Color } from '../colors.ts';

/** Colours that are hatched, so that they can be distinguished without colour vision. */
const HATCHED = new Set<Color>(['extension', 'bad']);

interface Place {
  x?: number;
  y?: number;
  width: number;
  height: number;
  rx?: number;
}

/** A rectangle of a chart in one of the colours. */
export function Block({ color, ...place }: Place & { color: Color }) {
  return (
    <>
      <rect class={`c-${color}`} {...place} />
      {HATCHED.has(color) && <rect fill="url(#hatch)" {...place} />}
    </>
  );
}

/** The hatched pattern that all charts share. It is rendered once per page. */
export function Hatch() {
  return (
    <svg class="sr-only" aria-hidden="true">
      <pattern id="hatch" class="hatch" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M-1 1 1 -1M0 6 6 0M5 7 7 5" />
      </pattern>
    </svg>
  );
}
