import type { ComponentChildren } from 'preact';

/** The heading of a view, followed by a rule. */
export function ViewHead({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <header class="view">
      <h1>{title}</h1>
      <p>{children}</p>
    </header>
  );
}
