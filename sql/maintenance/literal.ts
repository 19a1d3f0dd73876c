/** Quotes a text as a literal, regardless of the server's setting for backslashes. */
export function literal(text: string): string {
  return `E'${text.replace(/[\\']/g, '\\$&')}'`;
}
