import type { Parameter } from '@sightline/pg-client';
import type { DatabaseClient } from '../../sql/client.ts';

/** Callers, by the text of the statement and then by its parameters. */
type Statements = Map<string, Map<string, Set<string>>>;

/** The statements by the file or folder of `sql/` that sent them. */
export class RecordedStatements {
  #sent = new Map<string, Statements>();
  /** The current caller: a route, a field or a command. */
  caller = '';

  /** @returns the domains, each with its statements in alphabetical order, as a readable file */
  files(): Map<string, string> {
    const byName = [...this.#sent].sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(byName.map(([domain, statements]) => [domain, printed(statements)]));
  }

  /** The service's database, with its statements recorded. */
  through(database: DatabaseClient): DatabaseClient {
    const record = this.#record.bind(this);
    return watched(database, {
      rows: (text: string, parameters: Parameter[]) => record(text, parameters),
      queryTenant: (_: unknown, text: string, parameters: Parameter[]) => record(text, parameters),
      parts: (_: unknown, text: string, parameters: Parameter[]) => record(text, parameters),
    });
  }

  /** An operator's connection, with its statements and transactions recorded. */
  on<Of extends object>(statements: Of): Of {
    return new Proxy(statements, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...args: unknown[]) => unknown;
        if (name === 'begin') return async () => this.on((await method()) as object);
        if (name === 'transaction')
          return (work: (made: object) => unknown) => method((made: object) => work(this.on(made)));
        return (text?: string, rest?: unknown) => {
          if (text !== undefined) this.#record(text, name === 'query' ? (rest as Parameter[]) : []);
          return method(text, rest);
        };
      },
    });
  }

  #record(text: string, parameters: readonly unknown[] = [], { stack = '' } = callers()): void {
    const domain = identifySender(stack);
    if (!domain) return;
    const statements = this.#sent.get(domain) ?? (new Map() as Statements);
    const statement = lasting(text)
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
      .flatMap(clauses)
      .join('\n');
    const uses = statements.get(statement) ?? new Map<string, Set<string>>();
    const values = parameters
      .map((value, index) => `$${index + 1} = ${lasting(JSON.stringify(value))}`)
      .join(', ');
    uses.set(values, (uses.get(values) ?? new Set()).add(this.caller));
    this.#sent.set(domain, statements.set(statement, uses));
  }
}

/** The request's database is wrapped several times, so `sql/` is further away than the ten stack frames of an error. */
function callers(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const error = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/** Replaces values that differ between runs or months. */
function lasting(text: string): string {
  return text
    .replace(/\\+x[0-9a-f]{64}/g, '<digest>')
    .replace(/\bkey_\w{16}/g, '<key>')
    .replace(/report_y\d{4}m\d\d/g, 'report_y2026m05')
    .replace(/'\d{4}-\d\d-\d\d(?= |')/g, "'2026-05-01")
    .replace(/^"\d{12,16}"$/, '"<position>"')
    .replace(/(^vacuum .*)"\w+"/, '$1"report"');
}

const WIDTH = 110;

/** One line per clause, and per item of a long one, so that diffs are small. */
function clauses(line: string): string[] {
  const parts = line.split(/ (?=(?:from|where|and|or|order by|group by|limit|left join|join|union all) )/);
  return parts.flatMap(part => (part.length > WIDTH ? part.split(/(?<=,) /) : [part]));
}

/** A proxy that records calls of these methods, also on objects that they return. */
function watched<Of extends object>(target: Of, methods: Record<string, (...args: never[]) => void>): Of {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: never[]) => {
        methods[String(name)]?.(...args);
        const made: unknown = value.apply(target, args);
        return name === 'snapshot' ? watched(made as object, methods) : made;
      };
    },
  });
}

/** The first stack frame in `sql/` that does more than pass on a statement. */
function identifySender(stack: string): string | undefined {
  const files = [...stack.matchAll(/\/sql\/([\w-]+)(?:\.ts|\/[\w-]+\.ts)/g)].map(([, name]) => name!);
  return files.find(name => !['client', 'driver', 'dial', 'servers'].includes(name));
}

/** A statement with too many callers is listed with "all". */
const MANY = 20;

function printed(statements: Statements): string {
  const entries = [...statements].map(([text, uses]) => {
    const lines = [...uses].map(([values, callers]) => {
      const named = callers.size > MANY ? 'all' : [...callers].sort().join(', ');
      return clauses(values ? `${named}: ${values}` : named)
        .map(line => `-- ${line}\n`)
        .join('');
    });
    return `${lines.sort().join('')}${text}\n`;
  });
  return entries.sort().join('\n');
}
