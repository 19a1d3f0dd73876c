import type { Database } from '../sql/client.ts';
import { MigrationMismatch } from '../sql/operator/migrate.ts';
import { pendingMigrations, privileges } from '../sql/operator/preflight.ts';
import { isRestored } from '../sql/operator/restored.ts';

/** The database is there, but the service must not or cannot serve from it. The message says what to do. */
export class Unserviceable extends Error {
  override name = 'Unserviceable';
  /** The message without what to do. */
  readonly problem: string;
  /** Advice, where there is any. */
  readonly remedy: string | undefined;

  constructor(problem: string, remedy?: string) {
    super(remedy ? `${problem}: ${remedy}` : problem);
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** SQLSTATE classes of a database that is not there for the moment: connection, resources, shutdown. */
const PASSING = /^(?:08|53|57)/;

/** Advice by SQLSTATE: the role is missing, or the login is no member of it. */
const STEP_DOWN_REMEDY: Readonly<Record<string, string>> = {
  '22023': 'run "sightline migrate", which makes sightline_reader',
  '42501': 'have an administrator of the database grant that role to the login of DATABASE_URL',
};

/**
 * Checks that the service can serve from a database: it can step down to its role, the database is migrated, and
 * the service cannot write to it.
 * @throws {Unserviceable} when that does not hold; any other error means that the database is away
 */
export async function preflight(database: Database, role: string): Promise<void> {
  try {
    await requireMigrations(database);
    await requireReadOnly(database);
  } catch (error) {
    throw conclusive(error, role) ?? error;
  }
}

async function requireMigrations(database: Database): Promise<void> {
  const query = async (text: string) => (await database.rows(text, [], { prepare: false })).objects();
  const [first] = await pendingMigrations(query);
  if (first) throw new Unserviceable(`The database lacks migration ${first.name}`, 'run "sightline migrate"');
  // Its entity tags would be of other answers than those that clients have.
  if (await isRestored(query))
    throw new Unserviceable('The database was restored', 'run "sightline migrate"');
}

async function requireReadOnly(database: Database): Promise<void> {
  const { login, role, writable } = await privileges(database);
  if (writable.length === 0) return;
  const who = login === role ? `The login ${login}` : `The role ${role}`;
  throw new Unserviceable(
    `${who} may write to ${writable.slice(0, 3).join(', ')}, and the service never runs with such rights`,
    'let it step down with DATABASE_ROLE=sightline_reader, or connect as a login that may only read',
  );
}

function conclusive(error: unknown, role: string): Unserviceable | undefined {
  if (error instanceof MigrationMismatch) {
    return new Unserviceable(sentence(error.message), 'run the version of Sightline that migrated it last');
  }
  const { code, message } = serverError(error);
  if (!code || PASSING.test(code)) return undefined;
  const remedy = role && message.includes(role) ? STEP_DOWN_REMEDY[code] : undefined;
  if (!remedy) return new Unserviceable(`The database refuses the service: ${message}`);
  return new Unserviceable(`The service cannot step down to DATABASE_ROLE=${role} (${message})`, remedy);
}

/** A state has a digit in it, unlike the names of the system's errors. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Finds the server's own words; they come last where an error says since when the database counts as away. */
function serverError(error: unknown): { code?: string; message: string } {
  const { code, message, cause } = error as Error & { code?: unknown };
  if (cause) return serverError(cause);
  return typeof code === 'string' && SQL_STATE.test(code) ? { code, message } : { message };
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
