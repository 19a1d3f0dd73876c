import type { ComponentChildren } from 'preact';
import { type Address, formatAddress } from '../address.ts';

interface Props {
  to: Address;
  class?: string;
  title?: string;
  isCurrent?: boolean;
  label?: string;
  onClick?(): void;
  children: ComponentChildren;
}

/** Leads to another place of the page. Nothing leads to an address that a report names. */
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
