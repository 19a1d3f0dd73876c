/** The length of an instant as the API shows it: `YYYY-MM-DDTHH:mm:ss+00:00`. */
const LENGTH = 25;

/** Formats an instant. Accepts PostgreSQL's text (`2026-11-20 11:25:00.5+00`, in UTC), ISO 8601, or a Date. */
export function formatInstant(instant: string | Date): string {
  const text = typeof instant === 'string' ? instant : instant.toISOString();
  if (text.length === LENGTH && text.endsWith('+00:00')) return text;
  const utc = isUtc(text) ? text : new Date(text).toISOString();
  return `${utc.slice(0, 10)}T${utc.slice(11, 19)}+00:00`;
}

/** True if an instant is in UTC and includes seconds. */
function isUtc(text: string): boolean {
  return text[10] === ' ' || (text.endsWith('Z') && text.length >= 'YYYY-MM-DDTHH:mm:ssZ'.length);
}
