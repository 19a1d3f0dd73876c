import postgres, { type Sql } from 'postgres';

/**
 * The `postgres` driver as documented. It accepts a socket folder as host only in a separate option.
 * @param options of the driver
 */
export function stockDriver(url: string, options: object): Sql {
  return postgres(url, { ...options, host: decodeURIComponent(new URL(url).hostname) });
}
