import postgres, { type Sql } from 'postgres';

/**
 * The driver as its documentation has it. It takes a folder with a socket for a host only where that stands beside the
 * address.
 * @param options of the driver
 */
export function stockDriver(url: string, options: object): Sql {
  return postgres(url, { ...options, host: decodeURIComponent(new URL(url).hostname) });
}
