import { nextVersion } from './next-version.ts';

/** `npm run release -- patch|minor|major|VERSION`, in the project's folder. */
process.exitCode = nextVersion(process.argv.slice(2), process.cwd());
