/** The form in which instants are shown: `YYYY-MM-DDTHH:mm:ss+00:00`. */
const LENGTH = 25;

/** From PostgreSQL's text (`2026-11-20 11:25:00.5+00`, in UTC) or any form of ISO 8601. */
export function formatInstant(text: string): string {
  if (text.length === LENGTH && text.endsWith('+00:00')) return text;
  const utc = text[10] === ' ' ? text : new Date(text).toISOString();
  return `${utc.slice(0, 10)}T${utc.slice(11, 19)}+00:00`;
}
