import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { newNotes, splitTarget } from './incoming.ts';
import type { Request } from './reply.ts';
import { Refusal } from './respond.ts';

/** RFC 9112, section 3: a method may be any token (RFC 9110, section 5.6.2), also one that Node's parser refuses. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) ([\x21-\x7e]+) HTTP\/1\.[01]\r?$/;

const KNOWN = new Set(METHODS);

/** Node's error for bytes that it could not read. */
export interface ParseError extends Error {
  code?: string;
  /** The bytes that came together, and how many of them were read. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The request whose method Node's parser refused; undefined where something else is wrong with it. */
export function requestWithUnknownMethod({ rawPacket, bytesParsed = 0 }: ParseError): Request | undefined {
  if (!rawPacket) return undefined;
  return requestOf(rawPacket, bytesParsed) ?? requestOf(rawPacket, bytesParsed - 1);
}

/** @param at a place within its first line; Node is at times at its end already */
function requestOf(rawPacket: Buffer, at: number): Request | undefined {
  const start = rawPacket.subarray(0, Math.max(0, at)).lastIndexOf('\n') + 1;
  const end = rawPacket.indexOf('\n', start);
  const [, method, target] =
    REQUEST_LINE.exec(rawPacket.toString('latin1', start, Math.max(start, end))) ?? [];
  if (!method || !target || KNOWN.has(method)) return undefined;
  return {
    ...splitTarget(target),
    method,
    headers: {},
    id: randomUUID(),
    notes: newNotes(),
    body: () => Promise.reject(new Refusal('malformed')),
    inTime: work => work,
    isGone: () => false,
    letWait: reply => reply,
  };
}
