/** Whole keys, and what is left of mistyped ones; the prefix alone says nothing. */
const KEYS = /(svc_[dti]_)[0-9A-Za-z]+/g;
const URL_PASSWORDS = /(\b(?:postgres(?:ql)?|rediss?):\/\/[^\s:@/]*):[^\s@/]*@/g;

/** Tells whether any of it would have to go. */
export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}

/** The text without the keys and the passwords of addresses in it. */
export function redact(text: string): string {
  return text.replace(KEYS, '$1[redacted]').replace(URL_PASSWORDS, '$1:[redacted]@');
}
