import { connect, type ServiceConnection } from '../service/service.ts';

/** Maximum delay before a retry in milliseconds, because an assistant is waiting. */
const LONGEST_WAIT = 5000;

/**
 * Connects the tools of an assistant to the service.
 * @param url without a trailing slash
 */
export function connectAssistant(url: string, key: string): ServiceConnection {
  return connect(url, key, { longestWait: LONGEST_WAIT, retries: 1 });
}
