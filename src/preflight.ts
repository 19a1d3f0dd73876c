import type { Database } from '../sql/client.ts';
import { MigrationMismatch } from '../sql/operator/migrate.ts';
import { pendingMigrations, privileges } from '../sql/operator/preflight.ts';
import { isRestored } from '../sql/operator/restored.ts';
import { READER } from '../sql/roles.ts';

/** The database is available, but the service cannot or must not use it. The message contains the remedy. */
export class Unserviceable extends Error {
  override name = 'Unserviceable';
  /** The message without the remedy. */
  readonly problem: string;
  /** The remedy, if there is one. */
  readonly remedy: string | undefined;

  constructor(problem: string, remedy?: string) {
    super(remedy ? `${problem}: ${remedy}` : problem);
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** SQLSTATE classes of a database that is temporarily unavailable: connection, resources, shutdown. */
const PASSING = /^(?:08|53|57)/;

/** Advice by SQLSTATE: the role is missing, or the login is not a member of it. */
function stepDownRemedy(code: string, role: string): string | undefined {
  if (code === '42501') return `have an administrator run "grant ${role} to" the login of DATABASE_URL`;
  if (code !== '22023') return undefined;
  if (role === READER) return `run "sightline migrate", which creates ${READER}`;
  return `correct DATABASE_ROLE: ${READER} is the role that "sightline migrate" creates`;
}

/**
 * Checks that the service can use a database: it can switch to its role, the database is migrated, and the service
 * cannot write to it.
 * @throws {Unserviceable} if it cannot; any other error means that the database cannot be reached
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
  // Clients may hold entity tags of versions that the restored database reuses.
  if (await isRestored(query))
    throw new Unserviceable('The database was restored', 'run "sightline migrate"');
}

async function requireReadOnly(database: Database): Promise<void> {
  const { login, role, writable } = await privileges(database);
  if (writable.length === 0) return;
  const who = login === role ? `The login ${login}` : `The role ${role}`;
  throw new Unserviceable(
    `${who} can write to ${writable.slice(0, 3).join(', ')}, and the service refuses to run with such privileges`,
    `switch roles with DATABASE_ROLE=${READER}, or use a login that can only read`,
  );
}

function conclusive(error: unknown, role: string): Unserviceable | undefined {
  if (error instanceof MigrationMismatch) {
    return new Unserviceable(sentence(error.message), 'run the version of Sightline that migrated it last');
  }
  const { code, message } = serverError(error);
  if (!code || PASSING.test(code)) return undefined;
  const remedy = role && message.includes(role) ? stepDownRemedy(code, role) : undefined;
  if (!remedy) return new Unserviceable(`The database refuses the service: ${message}`);
  return new Unserviceable(`The service cannot switch to DATABASE_ROLE=${role} (${message})`, remedy);
}

/** An SQLSTATE contains a digit, unlike the names of system errors. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Extracts the server's message, which comes last if an error also says since when the database is unavailable. */
function serverError(error: unknown): { code?: string; message: string } {
  const { code, message, cause } = error as Error & { code?: unknown };
  if (cause) return serverError(cause);
  return typeof code === 'string' && SQL_STATE.test(code) ? { code, message } : { message };
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
