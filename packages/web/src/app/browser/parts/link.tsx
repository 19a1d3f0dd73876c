import type { ComponentChildren } from 'preact';
import { type Address, formatAddress } from '../address.ts';

interface Props {
  to: Address;
  class?: string;
  title?: string;
  isCurrent?: boolean;
  label?: string;
  onClick?: (() => void) | undefined;
  children: ComponentChildren;
}

/** A link to another view. The page never links to a URL from a report. */
export function Link({ to, class: name, title, isCurrent, label, onClick, children }: Props) {
  return (
    <a
      href={formatAddress(to)}
      class={name}
      title={title}
      aria-label={label}
      onClick={onClick}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </a>
  );
}
