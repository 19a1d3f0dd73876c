/** How a gzip, a zip, XML and a report in JSON begin in base64. */
const BEGIN = /^\s*(?:H4sI|UEsDB|PD94bWw|PGZlZWRiYWNr|eyJ|ewo|ewog|W3si)/;

/** Whether it is base64 once more of something that is known. */
export function isBase64(head: string): boolean {
  return BEGIN.test(head) && /^[A-Za-z0-9+/=\s]+$/.test(head);
}
