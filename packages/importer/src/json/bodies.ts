import { decode } from '../text/decode.ts';
import { formField } from './log-line.ts';
import { JsonValues } from './values.ts';

/**
 * Parses a request body as an import does: a list, an object, or several objects, one per line or concatenated. A byte
 * order mark, UTF-16 and form fields are supported. Returns undefined if the body is not JSON.
 */
export async function readBodies(bytes: Uint8Array): Promise<unknown[] | undefined> {
  const texts: string[] = [];
  for await (const text of decode(only(bytes))) texts.push(text);
  const whole = texts.join('');
  try {
    const text = formField(whole) ?? whole;
    const values = new JsonValues();
    const found = [...values.push(text), ...values.end()].map(value => JSON.parse(value) as unknown);
    return found.length === 0 ? undefined : found;
  } catch {
    return undefined;
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
