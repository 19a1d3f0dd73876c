/** The form in which policies are stored and compared. */
export function foldWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
