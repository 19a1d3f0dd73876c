/** Most policies are folded already, and checking is much faster than rewriting. */
const UNFOLDED = /\s\s|[^\S ]|^\s|\s$/;

/** Folds white space. Policies are stored and compared in this form. */
export function foldWhiteSpace(text: string): string {
  return UNFOLDED.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}
