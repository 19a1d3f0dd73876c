import type { Address } from '../address.ts';
import { Link } from './link.tsx';

/** SVG paths of the icons, on a grid of 16 by 16. */
const OUTLINES = {
  filter: 'M2 3h12L9.5 8.5V13l-3-1.5v-3z',
  exclude: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.8 3.8l8.4 8.4',
  open: 'M7 3H3v10h10V9M9 3h4v4M13 3 7.5 8.5',
} as const;

export type Icon = keyof typeof OUTLINES;

export function Outline({ icon }: { icon: Icon }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={OUTLINES[icon]} />
    </svg>
  );
}

interface Props {
  icon: Icon;
  to: Address;
  /** The accessible name: the action and its object. */
  label: string;
  onClick?: (() => void) | undefined;
}

/** A link for an action on a row, shown as an icon. */
export function IconLink({ icon, to, label, onClick }: Props) {
  return (
    <Link to={to} label={label} title={label} class="icon-link" onClick={onClick}>
      <Outline icon={icon} />
    </Link>
  );
}
