import { JsonRows } from '../../sql/driver/json-rows.ts';

/** A JSON text: in one piece, or in UTF-8 where a part of it was written before. */
export type Json = string | WrittenJson;

/** A text whose memory is used for others once it is released. */
export interface WrittenJson {
  readonly pieces: readonly Buffer[];
  release(): void;
}

/** Whether it is no stream. */
export function isWhole(body: Json | AsyncIterable<Buffer>): body is Json {
  return typeof body === 'string' || 'pieces' in body;
}

/** The text of what a resolver answered with: as `JSON.stringify` has it, with records that are JSON already as they are. */
export function jsonOf(value: unknown): Json {
  for (const name in value as object) {
    const list = (value as Record<string, unknown>)[name];
    if (list instanceof JsonRows) return around(value as Record<string, unknown>, name, list);
  }
  return JSON.stringify(value);
}

/** The items of a list, with commas between them and this text before all. */
export function itemsOf(list: unknown, before: string): WrittenJson {
  if (list instanceof JsonRows) return written(list, before, '');
  return { pieces: [Buffer.from(before + JSON.stringify(list).slice(1, -1))], release() {} };
}

function around(value: Record<string, unknown>, name: string, list: JsonRows): WrittenJson {
  const emptied = JSON.stringify({ ...value, [name]: [] });
  const start = `${JSON.stringify(name)}:[`;
  const at = emptied.indexOf(start) + start.length;
  return written(list, emptied.slice(0, at), emptied.slice(at));
}

function written(list: JsonRows, before: string, after: string): WrittenJson {
  return { pieces: list.within(before, after), release: () => list.release() };
}
