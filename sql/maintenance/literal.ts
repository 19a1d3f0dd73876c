/** A text within a statement, whatever the server thinks of backslashes. */
export function literal(text: string): string {
  return `E'${text.replace(/[\\']/g, '\\$&')}'`;
}
