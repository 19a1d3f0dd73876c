import { build } from 'esbuild';

/** Bundles a program that uses `@sightline/client` for browsers. */
export async function bundle(program: string): Promise<string> {
  const stdin = { contents: program, resolveDir: 'packages/client/src', loader: 'ts' as const };
  const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' } as const;
  const { outputFiles } = await build({ stdin, target: 'es2022', logLevel: 'silent', ...options });
  return outputFiles[0]!.text;
}
