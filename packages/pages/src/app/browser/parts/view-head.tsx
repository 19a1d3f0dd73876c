import type { ComponentChildren } from 'preact';

/** The heading of a view, with a line below it. */
export function ViewHead({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <header class="view">
      <h1>{title}</h1>
      <p>{children}</p>
    </header>
  );
}
