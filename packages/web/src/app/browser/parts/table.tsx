import type { ComponentChildren, JSX } from 'preact';

type Column = string | JSX.IntrinsicElements['th'];

interface TableProps {
  /** The accessible name of the table. */
  label: string;
  columns?: readonly Column[];
  class?: string;
  /** True if the table is a panel, false if it is part of one. */
  isPanel?: boolean;
  /** The rows of the table. */
  children: ComponentChildren;
}

/** A table that scrolls horizontally if it does not fit. */
export function Table({ label, columns, class: more = '', isPanel = false, children }: TableProps) {
  return (
    <section class={isPanel ? 'panel wide scroll' : 'scroll'} tabIndex={0} aria-label={label}>
      <table class={`stack ${more}`.trim()}>
        {columns && (
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th scope="col" key={at} {...(typeof column === 'string' ? { children: column } : column)} />
              ))}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** Returns the header of a numeric column. */
export const numbers = (children: string, title?: string): Column => ({
  children,
  class: 'number',
  ...(title && { title }),
});

/** Returns a visually hidden column header. */
export const unseen = (name: string): Column => ({ children: <span class="sr-only">{name}</span> });

/** A cell of a numeric column. On phones, the name of the column precedes the number. */
export function NumberCell({
  of,
  title,
  children,
}: {
  of: string;
  title?: string;
  children: ComponentChildren;
}) {
  return (
    <td class="number" data-label={of} title={title}>
      {children}
    </td>
  );
}
