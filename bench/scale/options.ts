import { parseArgs } from 'node:util';

export interface ScaleOptions {
  /**
   * The numbers of reports to measure at, ascending. The first size is loaded as a feed, the others are copied from it.
   */
  rows: readonly number[];
  /** How often each query is run. */
  rounds: number;
  /** The folder of a persistent database, which later runs reuse. Temporary if omitted. */
  directory: string | undefined;
  /** The URL of an existing database to measure instead, such as a distributed one. It is migrated and filled. */
  database: string | undefined;
  /** The output file for the results as JSON. */
  output: string;
}

const HELP = `Measures how answers grow with the number of reports. Usage: npm run bench:scale -- [options]

  --rows LIST        numbers of reports, multiples of the first; default: 20000,200000,2000000
  --rounds N         times each query is asked; default: 5
  --directory PATH   keeps the database here and goes on with it; default: a temporary folder
  --database URL     measures this one instead, which it migrates and fills, and leaves there
  --output PATH      of the results; default: bench/results/scale.json
  --help

A million reports take about 2 GB of the temporary folder (TMPDIR).
Example: npm run bench:scale -- --rows 100000,1000000 --output /tmp/scale.json
`;

/**
 * Exits after `--help`.
 * @throws {Error} for an unknown option or an invalid value
 */
export function readOptions(args: readonly string[]): ScaleOptions {
  const text = { type: 'string' } as const;
  const options = {
    rows: text,
    rounds: text,
    directory: text,
    database: text,
    output: text,
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  return {
    rows: measureSizes(values.rows ?? '20000,200000,2000000'),
    rounds: wholeNumber('rounds', values.rounds ?? '5'),
    directory: values.directory,
    database: values.database,
    output: values.output ?? 'bench/results/scale.json',
  };
}

function measureSizes(list: string): number[] {
  const sizes = list.split(',').map(text => wholeNumber('rows', text));
  const [first] = sizes;
  const isAscending = sizes.every((size, index) => index === 0 || size > sizes[index - 1]!);
  if (!isAscending || sizes.some(size => size % first! !== 0)) {
    throw new Error(`--rows: "${list}" is no ascending list of multiples of the first`);
  }
  return sizes;
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${option}: "${text}" is no positive number`);
  return number;
}
