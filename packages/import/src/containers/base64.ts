/** The beginnings of a gzip, a zip, XML and a report in JSON, in base64. */
const BEGIN = /^\s*(?:H4sI|UEsDB|PD94bWw|PGZlZWRiYWNr|eyJ|ewo|ewog|W3si)/;

/** True for base64 of a known form. */
export function isBase64(head: string): boolean {
  return BEGIN.test(head) && /^[A-Za-z0-9+/=\s]+$/.test(head);
}
