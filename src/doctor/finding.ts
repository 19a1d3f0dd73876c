/** `error`: the service cannot serve, or loses something. `warning`: it serves, and something is not as it should be. */
export type Level = 'ok' | 'warning' | 'error';

/** The result of one check of the installation. */
export interface Finding {
  /** The subject of the check, in one or two words. */
  check: string;
  level: Level;
  /** One sentence without its full stop. It holds no password. */
  says: string;
  /** Advice; missing where nothing has to be done. */
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
