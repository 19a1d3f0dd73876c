/** `error`: the service cannot serve, or loses something. `warning`: it serves, and something is not as it should be. */
export type Level = 'ok' | 'warning' | 'error';

/** What one look at the installation came to. */
export interface Finding {
  /** What was looked at, in one or two words. */
  check: string;
  level: Level;
  /** One sentence without its full stop. It holds no password. */
  says: string;
  /** What to do; missing where nothing is to be done. */
  remedy?: string;
}

export function good(check: string, says: string): Finding {
  return { check, level: 'ok', says };
}

export function warning(check: string, says: string, remedy: string): Finding {
  return { check, level: 'warning', says, remedy };
}

export function fault(check: string, says: string, remedy: string): Finding {
  return { check, level: 'error', says, remedy };
}
