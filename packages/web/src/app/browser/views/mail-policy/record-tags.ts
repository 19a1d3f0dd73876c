/** Returns the value of a tag in a DMARC record, or '' if the tag is absent. */
export function readTag(record: string, tag: string): string {
  return splitTags(record).find(([name]) => name === tag)?.[1] ?? '';
}

/** Sets a tag of a DMARC record, or removes it if the value is ''. Other tags are left unchanged. */
export function withTag(record: string, tag: string, value: string): string {
  const tags = splitTags(record);
  const at = tags.findIndex(([name]) => name === tag);
  const added: [string, string][] = value === '' ? [] : [[tag, value]];
  if (at >= 0) tags.splice(at, 1, ...added);
  else tags.push(...added);
  return tags.map(([name, own]) => (own === undefined ? name : `${name}=${own}`)).join('; ');
}

/** Splits a record into its tags. A part without "=" is not a tag and has no value. */
function splitTags(record: string): [name: string, value: string | undefined][] {
  return record
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const at = part.indexOf('=');
      if (at < 0) return [part, undefined];
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()];
    });
}
