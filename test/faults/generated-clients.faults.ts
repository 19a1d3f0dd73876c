import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve as absolute, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, team } from '../support/fixtures.ts';
import { type Call, listCalls, toTarget } from '../support/generated-calls.ts';
import { GENERATORS, type Generator, printModule } from '../support/generators.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

const run = promisify(execFile);

/** Third-party tools with their own lock file, which `npm run test:generators` installs. */
const TOOLS = absolute('test/generators');
const OUT = join(TOOLS, 'out/clients');
const areInstalled = existsSync(join(TOOLS, 'node_modules'));
if (!areInstalled)
  process.stderr.write('skipped: generated clients; "npm run test:generators" installs them\n');

async function runTool(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(join(TOOLS, 'node_modules/.bin', program), args, {
    cwd: OUT,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

interface GeneratedAnswer {
  status: number;
  body: unknown;
}

type GeneratedClient = Record<string, () => Promise<GeneratedAnswer>>;

const calls = listCalls();

async function generate(generator: Generator): Promise<void> {
  const { name, command, config = {} } = generator;
  await mkdir(join(OUT, name), { recursive: true });
  for (const [file, text] of Object.entries(config)) await writeFile(join(OUT, file), text);
  const printed = await runTool(...command);
  // This generator writes only to standard output.
  if (name === 'openapi-client-axios') await writeFile(join(OUT, name, 'client.d.ts'), printed);
  await writeFile(join(OUT, `${name}.ts`), printModule(generator, calls));
}

/** Removes the comment with which one generator disables type checks of its code. */
async function uncoverCode(): Promise<void> {
  const file = join(OUT, 'swagger-typescript-api/api.ts');
  await writeFile(file, (await readFile(file, 'utf8')).replace('// @ts-nocheck', ''));
}

describe.skipIf(!areInstalled)('clients generated from openapi.yaml', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startService({ now: NOW });
    await service.load(team('crew'), ...belongings('crew'));
    key = await service.key('team', 'crew');
    await rm(OUT, { recursive: true, force: true });
    await mkdir(OUT, { recursive: true });
    await writeFile(join(OUT, 'openapi.json'), (await service.get('/openapi.json')).text);
    await Promise.all(GENERATORS.map(generate));
    await uncoverCode();
  });
  afterAll(() => service.close());

  async function connect({ name }: Generator, key: string): Promise<GeneratedClient> {
    const module = await import(join(OUT, `${name}.ts`));
    return module.connect(service.url, key);
  }

  /** Returns the response of the service to a plain request. */
  async function ask(call: Call, { exportsAs }: Generator): Promise<GeneratedAnswer> {
    const isJson = !call.isExport || exportsAs === 'json';
    const { status, body, text } = await service.get(
      toTarget(call, call.isExport && isJson ? { format: 'json' } : {}),
      key,
    );
    return { status, body: isJson ? body : text };
  }

  it('compile in strict mode, together with code that calls every operation', async () => {
    await runTool('openapi-typescript', 'openapi.json', '--enum', '-o', 'openapi-fetch/enums.ts');
    const flags =
      '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --module esnext';
    const files = ['openapi-fetch/enums.ts', ...GENERATORS.map(({ name }) => `${name}.ts`)];
    await runTool('tsc', ...flags.split(' '), '--moduleResolution', 'bundler', ...files).catch(({ stdout }) =>
      expect.fail(stdout),
    );
  });

  it.each(GENERATORS)('call every operation: $name', async generator => {
    const client = await connect(generator, key);
    for (const call of calls) {
      const expected = await ask(call, generator);
      expect({ call: call.name, ...(await client[call.name]!()) }).toEqual({ call: call.name, ...expected });
      expect([call.name, expected.status]).toEqual([call.name, call.status]);
    }
  });

  it('have zod schemas that leave every body unchanged: hey-api and orval', async () => {
    const hey = await import(join(OUT, 'hey-api/zod.gen.ts'));
    const orval = await import(join(OUT, 'orval/zod.ts'));
    for (const call of calls.filter(({ status, isExport }) => status === 200 && !isExport)) {
      const name = call.operationId[0]!.toUpperCase() + call.operationId.slice(1);
      const { body } = await service.get(toTarget(call), key);
      for (const schema of [hey[`z${name}Response`], orval[`${name}Response`]]) {
        expect(JSON.stringify(schema.parse(body))).toBe(JSON.stringify(body));
      }
    }
  });

  it.each(GENERATORS)('report an unknown key: $name', async generator => {
    const client = await connect(generator, 'svc_t_unknown');
    expect(await client.getMe!()).toEqual({ status: 401, body: { error: 'Unauthorized' } });
  });
});
