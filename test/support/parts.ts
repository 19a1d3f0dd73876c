/** A part of a multipart body. */
export interface BodyPart {
  headers: Headers;
  text: string;
}

/**
 * Splits a multipart body at its delimiter (RFC 2046, section 5.1), and compares the stated lengths.
 * @throws {Error} for a body that is not complete
 */
export function splitParts(contentType: string, body: string): BodyPart[] {
  const boundary = /^multipart\/mixed; boundary=([\w-]+)$/.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error(`${contentType} has no boundary`);
  const [before, ...parts] = body.split(`\r\n--${boundary}`);
  if (before !== '' || parts.pop() !== '--\r\n') throw new Error('text before or after all parts');
  return parts.map(part => {
    const end = part.indexOf('\r\n\r\n');
    const lines = part.slice('\r\n'.length, end).split('\r\n');
    const headers = new Headers(lines.map(line => line.split(': ') as [string, string]));
    const text = part.slice(end + '\r\n\r\n'.length);
    if (headers.get('content-length') !== String(Buffer.byteLength(text)))
      throw new Error(`a part of ${Buffer.byteLength(text)} bytes states ${headers.get('content-length')}`);
    return { headers, text };
  });
}
