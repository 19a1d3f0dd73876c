import { Command, CommanderError } from 'commander';
import { expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../src/cli/index.ts';
import { groupByPlace, type Outcome } from '../support/group-outcomes.ts';

/** Records what each option of each command makes of values, without running a command. */

async function allCommands(): Promise<Command> {
  let root: Command | undefined;
  const spy = vi.spyOn(Command.prototype, 'parseAsync').mockImplementation(async function (this: Command) {
    root = this;
    return this;
  });
  await run(['help'], 'test').finally(() => spy.mockRestore());
  return root!;
}

const format = (value: unknown) => (value instanceof URL ? value.href : (JSON.stringify(value) ?? 'nothing'));

function parse(
  option: Command['options'][number],
  value: string,
  previous: unknown = option.defaultValue,
): string {
  try {
    return `becomes ${format(option.parseArg!(value, previous))}`;
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
}

const VALUES = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '2',
    '-1',
    '1.5',
    '1e3',
    '99',
    '100',
    '101',
    '999',
    '1000',
    '1001',
    '65535',
    '65536',
  ],
  ...[
    '9007199254740993',
    '0s',
    '1s',
    '999ms',
    '60s',
    '5m',
    '24h',
    '25h',
    '1d',
    '30d',
    '366d',
    '3660d',
    '3661d',
  ],
  ...[
    '2026-05-10',
    '2026-02-30',
    '2026-05',
    '2026-05-10T12:00:00Z',
    '2026-05-10T12:00:00',
    '1969-12-31',
    'now',
  ],
  ...['http://a.example', 'https://a.example/x', 'ftp://a', 'http://', 'a@b.example', 'csp', 'nel', 'csp=10'],
  ...[
    'csp=0',
    'csp=101',
    'csp=x',
    '=10',
    'a.example',
    '10.0.0.0/8',
    'json',
    'csv',
    'ndjson',
    '10k',
    '1MiB',
    '1GB',
  ],
];

/** Describes an option's part in the command, and what it makes of each value. */
function describe(option: Command['options'][number]): string {
  const { flags, mandatory, variadic, negate, hidden, defaultValue, argChoices, conflictsWith } =
    option as typeof option & { conflictsWith: string[] };
  const words = [
    ...Object.entries({ mandatory, variadic, negate, hidden })
      .filter(([, is]) => is)
      .map(([word]) => word),
    ...(defaultValue === undefined ? [] : [`by default ${format(defaultValue)}`]),
    ...(conflictsWith.length === 0 ? [] : [`not with ${conflictsWith.join()}`]),
  ];
  const line = `${flags} ${words.join(', ')}`.trimEnd();
  if (!option.parseArg) return `${line}\n`;
  const values = [...VALUES, ...(argChoices ?? [])];
  const outcomes = values.map((value): Outcome => [`: ${JSON.stringify(value)}`, parse(option, value)]);
  const accepted = values.find((_, index) => outcomes[index]![1].startsWith('becomes'));
  if (accepted !== undefined) {
    const first = option.parseArg(accepted, option.defaultValue as undefined);
    outcomes.push([`: ${accepted} twice`, parse(option, accepted, first)]);
  }
  const isFree = new Set(outcomes.map(([, outcome]) => outcome)).size > 30;
  return `${line}\n${groupByPlace(isFree ? outcomes.filter((_, index) => index % 5 === 0) : outcomes)}`;
}

it('each value of each option is used or refused as recorded', async () => {
  /** The commands with the same option. */
  const commands = new Map<string, string[]>();
  const collect = (command: Command, path: string) => {
    for (const option of command.options) {
      const block = describe(option);
      commands.set(block, [...(commands.get(block) ?? []), path.trim()]);
    }
    for (const inner of command.commands) collect(inner, `${path} ${inner.name()}`);
  };
  const root = await allCommands();
  vi.useFakeTimers({ now: Date.parse('2026-05-20T14:30:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  collect(root, '');
  expect(commands.size).toBeGreaterThan(80);
  const text = [...commands].map(([block, paths]) => `${paths.join(', ')}\n${block}\n`).join('');
  await expect(text).toMatchFileSnapshot('./recorded/options.txt');
});
