import { parseArgs } from 'node:util';

const USAGE = `Takes pictures of the page, as "npm start" opens it on the demo data.

  npm run tour                    those of docs/page.md, into docs/page/
  npm run tour -- --all FOLDER    every view and state, light and dark, 390, 768, 1280 and 1600 px wide
  npm run tour -- --all FOLDER --only csp --widths 390    those whose name has this in it, and one width
  npm run tour -- --all FOLDER --url URL --key KEY    of a service that runs, with data of its own
`;

/**
 * Parses the options of `npm run tour`. Returns the exit code instead if there is nothing to do, after printing the
 * reason.
 */
export function tourOptions(args: string[]) {
  try {
    const { help, ...options } = parseArgs({
      args,
      options: {
        all: { type: 'string' },
        only: { type: 'string', default: '' },
        widths: { type: 'string', default: '390,768,1280,1600' },
        url: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
    if (!help) return options;
    process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
}
