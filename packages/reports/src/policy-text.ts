/** Most policies are folded already, and looking costs a fraction of writing. */
const UNFOLDED = /\s\s|[^\S ]|^\s|\s$/;

/** The form in which policies are stored and compared. */
export function foldWhiteSpace(text: string): string {
  return UNFOLDED.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}
