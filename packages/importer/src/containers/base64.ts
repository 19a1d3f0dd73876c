/** The base64 prefixes of gzip, zip, XML and JSON reports. */
const BEGIN = /^\s*(?:H4sI|UEsDB|PD94bWw|PGZlZWRiYWNr|eyJ|ewo|ewog|W3si)/;

/** Checks whether a text is base64 of a supported format. */
export function isBase64(head: string): boolean {
  return BEGIN.test(head) && /^[A-Za-z0-9+/=\s]+$/.test(head);
}
