/** Complete keys, and parts of mistyped ones. The prefix reveals nothing. */
const KEYS = /(svc_[dti]_)[0-9A-Za-z]+/g;
/** A password can contain `@`, but none extends beyond the JSON string that contains it. */
const URL_PASSWORDS = /(\b(?:postgres(?:ql)?|rediss?):\/\/[^\s:@/"]*):(?:\\.|[^\s"/\\])*@/g;

/** True if a text contains anything to redact. */
export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}

/** Removes keys, and passwords in addresses. */
export function redact(text: string): string {
  return text.replace(KEYS, '$1[redacted]').replace(URL_PASSWORDS, '$1:[redacted]@');
}
