/** Formats a count with the name of what is counted: `1 report`, `2 reports`. */
export const plural = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
