import type { Json } from '../executor/json.ts';
import type { StreamedType } from './media-types.ts';

export interface FramedResult {
  contentType: string;
  body: Json;
}

/** Frames the result of a query as a complete stream. The result is JSON without line breaks. */
export function frameResult(type: StreamedType, body: Json): FramedResult {
  return type === 'text/event-stream' ? frameEvent(body) : framePart(body);
}

/** Uses the "distinct connections mode" of the GraphQL over Server-Sent Events protocol. */
function frameEvent(body: Json): FramedResult {
  return {
    contentType: 'text/event-stream',
    body: surround('event: next\ndata: ', body, '\n\nevent: complete\ndata:\n\n'),
  };
}

/** Frames the result as the only part of an incremental delivery over HTTP. */
function framePart(body: Json): FramedResult {
  const head = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${measureBytes(body)}\r\n\r\n`;
  return {
    contentType: 'multipart/mixed; boundary="-"',
    body: surround(`\r\n---\r\n${head}`, body, '\r\n-----\r\n'),
  };
}

function surround(before: string, body: Json, after: string): Json {
  if (typeof body === 'string') return `${before}${body}${after}`;
  return {
    pieces: [Buffer.from(before), ...body.pieces, Buffer.from(after)],
    release: () => body.release(),
  };
}

function measureBytes(body: Json): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body.pieces.reduce((sum, { length }) => sum + length, 0);
}
