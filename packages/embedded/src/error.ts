/** The embedded database cannot run. The message states the problem and the remedy. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

export const USE_DATABASE_URL = 'set DATABASE_URL to a PostgreSQL of your own, 15 or newer';

export function unsupportedSystem(): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `This system (${process.platform}, ${process.arch}) cannot run the embedded PostgreSQL, which needs macOS, ` +
      `Windows or a Linux with glibc (Alpine has musl instead): ${USE_DATABASE_URL}.`,
  );
}
