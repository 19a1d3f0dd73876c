#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8
// Most objects live only as long as a response, so a young generation of half the default size hardly costs more
// collections.
// A single malloc arena keeps threads from holding free memory that others cannot use.
// Plain JavaScript, so that it can name the required version on a Node that is too old for the rest.
import { existsSync, readFileSync } from 'node:fs';

const { version, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
const [leastMajor, leastMinor] = engines.node.match(/\d+/g).map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  fail(`Sightline needs Node ${leastMajor}.${leastMinor} or newer; this is Node ${process.versions.node}.`);
}

// A reader that stops early, such as "head", is not an error.
process.stdout.on('error', error => {
  if (error.code !== 'EPIPE') fail(`Standard output cannot be written: ${error.message}`);
});

const given = new Set(Object.keys(process.env));
if (existsSync('.env')) {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    fail(`The file .env cannot be read: ${error.message}`);
  }
}

// npm forwards signals only to the shell that it starts. This process ends when that shell is gone.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  setInterval(watch, 250).unref();
}

const { run } = await load();
const fromFile = new Set(Object.keys(process.env).filter(name => !given.has(name)));
process.exitCode = await run(process.argv.slice(2), version, fromFile);

/**
 * A checkout with its packages runs the TypeScript sources. In production and elsewhere, the output of "npm run build"
 * runs.
 */
async function load() {
  const [sources, built, packages] = ['src/cli/index.ts', 'dist/src/cli/index.js', 'node_modules/tsx'].map(
    path => new URL(`../${path}`, import.meta.url),
  );
  const hasSources = existsSync(sources) && existsSync(packages);
  const isBuilt = existsSync(built);
  if (isBuilt && (!hasSources || process.env.NODE_ENV === 'production')) return import(built.href);
  if (!hasSources) fail('The packages of this checkout are missing: run "npm ci" in its folder.');
  const { register } = await import('tsx/esm/api');
  register();
  return import(sources.href);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
