import { Agent, type AgentOptions } from 'node:http';

/**
 * Connections that stay open as long as `Keep-Alive` says. Node's `Agent` respects it only if its own timeout is
 * longer; otherwise it uses connections that the server is about to close.
 */
export function keepAliveAgent(options: Pick<AgentOptions, 'maxSockets'> = {}): Agent {
  return new Agent({ ...options, keepAlive: true, timeout: 600_000 });
}
