import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  isInitializeRequest,
  LATEST_PROTOCOL_VERSION,
  PARSE_ERROR,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isObject } from '@sightline/reports';
import { TOOLS } from './tools.ts';

/** A JSON-RPC error response to an invalid message. */
export interface McpError {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

export type ParsedMessage<Message> = { message: Message } | { refusal: McpError };

/** A message or a batch, without the invalid messages of the batch, and their errors. */
export interface ParsedMessages {
  message: object | object[];
  refusals: McpError[];
}

function refuse(code: number, message: string, id: unknown = null): { refusal: McpError } {
  return { refusal: { jsonrpc: '2.0', id: isId(id) ? id : null, error: { code, message } } };
}

/** A server-defined error (JSON-RPC 2.0, section 5.1). */
export const TOO_SLOW = refuse(-32_000, 'The calls took too long: send fewer at once').refusal;

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Maximum number of messages in a batch. */
const MOST_MESSAGES = 100;

/** Parses a message or a batch. Deviations from the protocol are accepted if they are unambiguous. */
export function readMessages(text: string): ParsedMessages | { refusal: McpError } {
  const parsed = parse(text);
  if ('refusal' in parsed) return parsed;
  const { message } = parsed;
  if (!Array.isArray(message)) {
    const read = readCallOrMessage(message);
    return 'refusal' in read ? read : { ...read, refusals: [] };
  }
  if (message.length > MOST_MESSAGES) {
    return refuse(
      INVALID_REQUEST,
      `A batch has at most ${MOST_MESSAGES} messages, and this one ${message.length}`,
    );
  }
  const ids = message.map(one => (isObject(one) && isId(one.id) ? one.id : undefined)).filter(isId);
  // With equal ids, a client could not assign the responses to its requests.
  if (new Set(ids).size < ids.length)
    return refuse(INVALID_REQUEST, 'The messages of a batch need different ids');
  if (message.length > 1 && message.some(one => isObject(one) && one.method === 'initialize'))
    return refuse(INVALID_REQUEST, 'Send initialize on its own, not in a batch');
  const read = message.map(readCallOrMessage);
  return {
    message: read.flatMap(one => ('message' in one ? one.message : [])),
    refusals: read.flatMap(one => ('refusal' in one ? one.refusal : [])),
  };
}

/** Parses a single-line message. */
export function readLine(line: string): ParsedMessage<object> {
  const parsed = parse(line);
  if ('refusal' in parsed) return parsed;
  if (!Array.isArray(parsed.message)) return readCallOrMessage(parsed.message);
  return refuse(INVALID_REQUEST, 'There are no batches on standard input: send each message on its own line');
}

function parse(text: string): ParsedMessage<unknown> {
  try {
    return { message: JSON.parse(text.replace(/^\ufeff/, '')) };
  } catch {
    return refuse(PARSE_ERROR, 'Parse error: the message is not JSON');
  }
}

type Members = Record<string, unknown>;

/** Parses a message and, in a call, checks the name of the tool. */
function readCallOrMessage(sent: unknown): ParsedMessage<object> {
  const read = readMessage(sent);
  if ('refusal' in read) return read;
  const { method, params, id } = read.message as Members;
  if (method !== 'tools/call' || !isId(id)) return read;
  const { name } = isObject(params) ? params : {};
  if (TOOLS.some(tool => tool.name === name)) return read;
  const problem =
    typeof name === 'string' ? `Unknown tool: ${name.slice(0, 100)}` : 'The name of the tool is missing';
  return refuse(INVALID_PARAMS, `${problem}. The tools are ${TOOLS.map(({ name }) => name).join(', ')}`, id);
}

function readMessage(sent: unknown): ParsedMessage<object> {
  if (!isObject(sent)) return refuse(INVALID_REQUEST, 'Invalid request: a message is a JSON object');
  const { method, id, jsonrpc } = sent;
  if (method === 'initialize') return readInitialize(sent);
  const isComplete = typeof method === 'string' ? id !== null : isId(id);
  if (!isComplete) return refuse(INVALID_REQUEST, 'Invalid request: method or id is missing', id);
  if (jsonrpc !== '2.0') return refuse(INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"', id);
  if (id !== undefined && !isId(id))
    return refuse(INVALID_REQUEST, 'Invalid request: id must be text or an integer');
  const params = readMembers(sent.params);
  if (params !== undefined && !isObject(params))
    return refuse(INVALID_REQUEST, 'Invalid request: params must be an object', id);
  const message = { ...sent, params };
  if (method !== 'tools/call' || !params) return { message };
  const given = readCall(params.arguments);
  if (!isObject(given)) return refuse(INVALID_PARAMS, 'Invalid params: arguments must be an object', id);
  return { message: { ...message, params: { ...params, arguments: given } } };
}

/**
 * Reads an object that can be absent. Some clients send null instead, and clients in PHP send `[]` for an empty object.
 */
function readMembers(given: unknown): unknown {
  if (given == null) return undefined;
  return Array.isArray(given) && given.length === 0 ? {} : given;
}

/** Adds parameters of the handshake that some clients omit. */
function readInitialize(sent: Members): ParsedMessage<object> {
  const given = isObject(sent.params) ? present(sent.params) : {};
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: {}, ...given };
  if (isObject(params.clientInfo)) {
    params.clientInfo = { name: 'unknown', version: '0', ...present(params.clientInfo) };
  }
  const message = { ...sent, params };
  if (isInitializeRequest(message)) return { message };
  const text = `Invalid params: protocolVersion is text such as "${LATEST_PROTOCOL_VERSION}"; capabilities and clientInfo are objects`;
  return refuse(INVALID_PARAMS, text, sent.id);
}

const present = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));

/** Parses the arguments of a call, which some frameworks send as JSON text. */
function readCall(given: unknown): unknown {
  if (given === '') return {};
  if (typeof given !== 'string') return readMembers(given) ?? {};
  const parsed = parse(given);
  return 'message' in parsed ? (readMembers(parsed.message) ?? {}) : given;
}

/**
 * Refuses an unknown protocol version, and lists the supported ones. The SDK checks requests with `_meta`, which belong
 * to versions since 2026.
 */
export function checkVersion(version: string | null, message: object): { refusal: McpError } | undefined {
  if (!version || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  const { params, id } = message as Members;
  if (isObject(params) && params._meta !== undefined) return undefined;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  const text = `MCP-Protocol-Version ${version.slice(0, 100)} needs _meta in params. Without it, the versions are ${supported}`;
  return refuse(INVALID_REQUEST, text, id);
}
