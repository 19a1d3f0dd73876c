/** The form in which instants are shown: `YYYY-MM-DDTHH:mm:ss+00:00`. */
const LENGTH = 25;

/** From PostgreSQL's text (`2026-11-20 11:25:00.5+00`, in UTC), any form of ISO 8601, or a time. */
export function formatInstant(instant: string | Date): string {
  const text = typeof instant === 'string' ? instant : instant.toISOString();
  if (text.length === LENGTH && text.endsWith('+00:00')) return text;
  const utc = isUtc(text) ? text : new Date(text).toISOString();
  return `${utc.slice(0, 10)}T${utc.slice(11, 19)}+00:00`;
}

/** Tells whether date and time are in UTC as they stand, to the second. */
function isUtc(text: string): boolean {
  return text[10] === ' ' || (text.endsWith('Z') && text.length >= 'YYYY-MM-DDTHH:mm:ssZ'.length);
}
