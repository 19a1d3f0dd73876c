/** Matches control characters except line breaks, and characters that change the text direction. */
const CONTROL = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;
const REPLACEMENT = '\u{FFFD}';

/** Replaces characters that a terminal would interpret, because texts can come from reports. */
export function withoutControl(text: string): string {
  return text.replace(CONTROL, REPLACEMENT);
}

/** Replaces line breaks and characters that a terminal would interpret. */
export function onOneLine(text: string): string {
  return withoutControl(text.replaceAll('\n', REPLACEMENT));
}
