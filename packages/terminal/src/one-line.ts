/** Control characters, but for ends of lines; and what turns the direction of writing. */
const CONTROL = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;
const REPLACEMENT = '\u{FFFD}';

/** Without what a terminal would obey: data comes from strangers. */
export function withoutControl(text: string): string {
  return text.replace(CONTROL, REPLACEMENT);
}

/** The same of what has to stay on its line. */
export function onOneLine(text: string): string {
  return withoutControl(text.replaceAll('\n', REPLACEMENT));
}
