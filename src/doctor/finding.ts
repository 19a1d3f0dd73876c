/** `error`: the service cannot serve, or loses data. `warning`: the service works, but needs attention. */
export type Level = 'ok' | 'warning' | 'error';

/** The result of one check of the installation. */
export interface Diagnosis {
  /** The subject of the check, in one or two words. */
  check: string;
  level: Level;
  /** One sentence without a full stop. It never contains a password. */
  says: string;
  /** The recommended action for the operator; undefined if none is needed. */
  remedy?: string;
}

export function good(check: string, says: string): Diagnosis {
  return { check, level: 'ok', says };
}

export function warning(check: string, says: string, remedy: string): Diagnosis {
  return { check, level: 'warning', says, remedy };
}

export function fault(check: string, says: string, remedy: string): Diagnosis {
  return { check, level: 'error', says, remedy };
}
