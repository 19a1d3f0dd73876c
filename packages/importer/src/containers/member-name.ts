/** Maximum length of a displayed name, in characters. */
const LONGEST_NAME = 255;

/** Removes characters from the name of an archived file that could control a terminal. */
export function toShownName(name: string): string {
  return name
    .slice(0, 4 * LONGEST_NAME)
    .replace(/\p{Cc}/gu, '\u{FFFD}')
    .slice(0, LONGEST_NAME);
}

/** True for folders, and for files that operating systems hide. */
export function isHiddenMember(name: string): boolean {
  return name.endsWith('/') || name.split('/').some(part => part === '__MACOSX' || /^\.(?!\.?$)/.test(part));
}
