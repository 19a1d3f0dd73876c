import { isCaddy, readCaddy } from './forms/caddy.ts';
import { readHeaderText } from './forms/header-text.ts';
import { isHeadersFile, readHeadersFile } from './forms/headers-file.ts';
import { isJson, readJson } from './forms/json.ts';
import { isNginx, readNginx } from './forms/nginx.ts';
import type { FilePolicies } from './policies.ts';

/** No policy can be read from a file. The message contains the reason. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Maximum size of a file in bytes. */
export const LARGEST_FILE = 1024 * 1024;

/**
 * Reads the policies in a file. Those that cannot be checked are returned with a reason.
 * @throws {UnreadableFile} if the format is unknown or there is no policy
 */
export function readPolicies(name: string, text: string): FilePolicies {
  const found = readForm(name, text.replace(/^\uFEFF/, ''));
  if (found.policies.length + found.refusals.length === 0)
    throw new UnreadableFile('has no Content-Security-Policy');
  return found;
}

function readForm(name: string, text: string): FilePolicies {
  if (isJson(name, text)) return readJsonFile(text);
  if (isHeadersFile(name, text)) return readHeadersFile(text);
  if (isNginx(text)) return readNginx(text);
  if (isCaddy(text)) return readCaddy(text);
  const found = readHeaderText(text);
  if (found) return found;
  throw new UnreadableFile(
    'is in an unknown format. Supported are the text of headers, a _headers file, an nginx or Caddy configuration, and JSON',
  );
}

function readJsonFile(text: string): FilePolicies {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UnreadableFile('is no valid JSON');
    throw error;
  }
}
