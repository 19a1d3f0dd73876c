import type { Color } from '../colors.ts';

/** Told from their like by more than their colour. */
const HATCHED = new Set<Color>(['extension', 'bad']);

interface Place {
  x?: number;
  y?: number;
  width: number;
  height: number;
  rx?: number;
}

/** A block of a colour. */
export function Block({ color, ...place }: Place & { color: Color }) {
  return (
    <>
      <rect class={`c-${color}`} {...place} />
      {HATCHED.has(color) && <rect fill="url(#hatch)" {...place} />}
    </>
  );
}

/** The pattern of all pictures: it stands once on the page. */
export function Hatch() {
  return (
    <svg class="sr-only" aria-hidden="true">
      <pattern id="hatch" class="hatch" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M-1 1 1 -1M0 6 6 0M5 7 7 5" />
      </pattern>
    </svg>
  );
}
