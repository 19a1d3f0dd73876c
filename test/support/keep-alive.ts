import { Agent, type AgentOptions } from 'node:http';

/**
 * Connections that are kept as long as `Keep-Alive` says. Node's `Agent` only heeds it where its own time is longer:
 * without one it sends requests on connections that the server closes in that moment.
 */
export function keepAliveAgent(options: Pick<AgentOptions, 'maxSockets'> = {}): Agent {
  return new Agent({ ...options, keepAlive: true, timeout: 600_000 });
}
