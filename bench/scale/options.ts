import { parseArgs } from 'node:util';

export interface ScaleOptions {
  /** Numbers of reports to measure at, ascending. The first is loaded as a feed, the others are multiples of it. */
  rows: readonly number[];
  /** Times each query is asked. */
  rounds: number;
  /** Keeps the database here, and goes on with what is there; otherwise it is temporary. */
  directory: string | undefined;
  /** The address of a database to measure instead, such as one that is spread over servers; it is migrated and filled. */
  database: string | undefined;
  /** The path of the results: `<output>.json`, and of that `<output>.summary.json` and `<output>.svg`. */
  output: string;
}

const HELP = `Measures how answers grow with the number of reports. Usage: npm run bench:scale -- [options]

  --rows LIST        numbers of reports, multiples of the first; default: 1000000,10000000
  --rounds N         times each query is asked; default: 15
  --directory PATH   keeps the database here and goes on with it; default: a temporary folder
  --database URL     measures this one instead, which it migrates and fills, and leaves there
  --output PATH      of the results, without an ending; default: docs/scaling
  --help

Ten million reports take about 13 GB of the temporary folder (TMPDIR).
Example: npm run bench:scale -- --rows 100000,1000000 --output /tmp/scaling
`;

/** Exits after `--help`. @throws {Error} for what is no option or no value of one */
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
    rows: sizesOf(values.rows ?? '1000000,10000000'),
    rounds: wholeNumber('rounds', values.rounds ?? '15'),
    directory: values.directory,
    database: values.database,
    output: values.output ?? 'docs/scaling',
  };
}

function sizesOf(list: string): number[] {
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
