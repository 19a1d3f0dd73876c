import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { newNotes, splitTarget } from './incoming.ts';
import type { Request } from './reply.ts';
import { Refusal } from './respond.ts';

/**
 * RFC 9112, section 3: a method can be any token (RFC 9110, section 5.6.2), including those that Node's parser
 * refuses.
 */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) ([\x21-\x7e]+) HTTP\/1\.[01]\r?$/;

const KNOWN = new Set(METHODS);

/** Node's error for input that it could not parse. */
export interface ParseError extends Error {
  code?: string;
  /** A chunk of input, and how much of it was parsed. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Returns the request whose method Node's parser refused; undefined for any other error. */
export function requestWithUnknownMethod({ rawPacket, bytesParsed = 0 }: ParseError): Request | undefined {
  if (!rawPacket) return undefined;
  return toRequest(rawPacket, bytesParsed) ?? toRequest(rawPacket, bytesParsed - 1);
}

/** @param at a position within its first line, or its end */
function toRequest(rawPacket: Buffer, at: number): Request | undefined {
  const start = rawPacket.subarray(0, Math.max(0, at)).lastIndexOf('\n') + 1;
  const end = rawPacket.indexOf('\n', start);
  const [, method, target] =
    REQUEST_LINE.exec(rawPacket.toString('latin1', start, Math.max(start, end))) ?? [];
  if (!method || !target || KNOWN.has(method)) return undefined;
  return {
    ...splitTarget(target),
    method,
    headers: {},
    rawHeaders: [],
    peer: '',
    id: randomUUID(),
    notes: newNotes(),
    body: () => Promise.reject(new Refusal('malformed')),
    inTime: work => work,
    isGone: () => false,
    letWait: reply => reply,
  };
}
