import { codegen } from './scripts/codegen.ts';

/** `npm run codegen`. */
process.exitCode = await codegen(process.argv.slice(2), new URL('.', import.meta.url));
