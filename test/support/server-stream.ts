/** Messages of a PostgreSQL server, and those sent to it as text. */

export const int = (value: number, size: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(value, 0, size);
  return bytes;
};
export const message = (type: string, ...body: (Buffer | string)[]) => {
  const content = Buffer.concat(body.map(part => Buffer.from(part)));
  return Buffer.concat([Buffer.from(type), int(content.length + 4, 4), content]);
};
export const column = (name: string, type: number) =>
  Buffer.concat([
    Buffer.from(`${name}\0`),
    int(0, 4),
    int(0, 2),
    int(type, 4),
    int(-1, 2),
    int(-1, 4),
    int(1, 2),
  ]);
export const describeColumns = (...columns: Buffer[]) => message('T', int(columns.length, 2), ...columns);
export const row = (...values: (string | null)[]) =>
  message(
    'D',
    int(values.length, 2),
    ...values.flatMap(value => (value === null ? [int(-1, 4)] : [int(Buffer.byteLength(value), 4), value])),
  );
export const failWith = (code: string, routine = '', severity = 'ERROR') =>
  message('E', `S${severity}\0V${severity}\0C${code}\0Mit failed\0R${routine}\0\0`);

export const PARSED = message('1');
export const BOUND = message('2');
export const DONE = message('C', 'SELECT 1\0');
export const READY = message('Z', 'I');
export const TEXT = describeColumns(column('a', 25));

/** The answer to a new statement without parameters that returns a text. */
export const PREPARED = [PARSED, message('t', int(0, 2)), TEXT];
/** A row of it. */
export const RESULT = [BOUND, row('x'), DONE, READY];

/** Writes sent bytes as messages: their type, and their body with `·` for zeros. */
export function readSent(bytes: Buffer): string {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    texts.push(`${String.fromCharCode(bytes[at]!)}(${toPlain(bytes.subarray(at + 5, end))})`);
  }
  return texts.join(' ');
}

export const toPlain = (bytes: Buffer) => {
  const text = bytes.toString('latin1').replaceAll('\0', '·');
  const plain = text.replace(/[^ -~·]/g, byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return plain.length > 200 ? `${plain.slice(0, 40)}… ${bytes.length} bytes` : plain;
};
