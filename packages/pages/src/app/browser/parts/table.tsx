import type { ComponentChildren, JSX } from 'preact';

type Column = string | JSX.IntrinsicElements['th'];

interface TableProps {
  /** Its name for who does not see it. */
  label: string;
  columns?: readonly Column[];
  class?: string;
  /** True where it is a panel of its own, and not a part of one. */
  isPanel?: boolean;
  /** Its rows. */
  children: ComponentChildren;
}

/** A table that scrolls within the page where there is too little room. */
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

/** A column of numbers. */
export const numbers = (children: string, title?: string): Column => ({
  children,
  class: 'number',
  ...(title && { title }),
});

/** A column whose name is not seen. */
export const unseen = (name: string): Column => ({ children: <span class="sr-only">{name}</span> });

/** A cell of a column of numbers: on a phone, the column's name stands before it. */
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
