import { parseArgs } from 'node:util';

/** A list of allowed names, a positive number, a text, or `false` for a flag. */
type Default = readonly string[] | number | string | false;

/** The default of each option, and its description. */
type Options = Readonly<Record<string, readonly [value: Default, description: string]>>;

type Widened<Value> = Value extends number
  ? number
  : Value extends string
    ? string
    : Value extends false
      ? boolean
      : Value;

/** The values of the options. A list contains the chosen names. */
type Values<Table extends Options> = { [Name in keyof Table]: Widened<Table[Name][0]> };

/**
 * Parses the command line by a table of options. Exits after `--help`.
 * @param summary the first lines of the help
 * @throws {Error} for an unknown option or an invalid value
 */
export function readOptions<const Table extends Options>(summary: string, table: Table): Values<Table> {
  const flag = { type: 'boolean' } as const;
  const options = Object.fromEntries(
    Object.entries(table).map(([name, [value]]) => [
      name,
      value === false ? flag : { type: 'string' as const },
    ]),
  );
  const { values }: { values: Record<string, unknown> } = parseArgs({ options: { ...options, help: flag } });
  if (values.help) {
    process.stdout.write(`${summary}\n\n${Object.entries(table).map(describe).join('')}`);
    process.exit(0);
  }
  const chosen = Object.entries(table).map(([name, [fallback]]) => {
    const given = values[name];
    return [name, typeof given === 'string' ? readValue(name, fallback, given) : (given ?? fallback)];
  });
  return Object.fromEntries(chosen);
}

const describe = ([name, [value, description]]: [string, readonly [Default, string]]) =>
  `  --${name.padEnd(16)} ${description}${value === false || value === '' ? '' : `; default: ${value}`}\n`;

function readValue(name: string, fallback: Default, given: string): Default {
  if (typeof fallback === 'string') return given;
  if (typeof fallback === 'number') {
    if (Number(given) > 0) return Number(given);
    throw new Error(`--${name}: "${given}" is no positive number`);
  }
  const names = given.split(',');
  const unknown = names.find(one => !(fallback as readonly string[]).includes(one));
  if (unknown === undefined) return names;
  throw new Error(`--${name}: "${unknown}" is none of ${(fallback as readonly string[]).join(', ')}`);
}
