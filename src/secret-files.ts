import { readFileSync } from 'node:fs';

/** The values read from the files that settings name, and the problems with them. */
export interface SecretFiles<Setting extends string> {
  values: Partial<Record<Setting, string>>;
  /** Each starts with the name of its setting. */
  problems: string[];
}

/** Returns the name of the setting for a file with the value, which is how Docker and systemd provide secrets. */
export function fileSetting<Setting extends string>(name: Setting): `${Setting}_FILE` {
  return `${name}_FILE`;
}

/**
 * Reads settings from files: `NAME_FILE` names the file with the value of `NAME`. Surrounding white space is removed.
 * @param setting returns the trimmed value of a setting, or undefined
 */
export function readSecretFiles<Setting extends string>(
  names: readonly Setting[],
  setting: (name: string) => string | undefined,
): SecretFiles<Setting> {
  const read: SecretFiles<Setting> = { values: {}, problems: [] };
  for (const name of names) {
    const path = setting(fileSetting(name));
    if (!path) continue;
    const outcome = setting(name)
      ? { problem: `is set in addition to ${name}: keep only one of them` }
      : toText(path);
    if ('text' in outcome) read.values[name] = outcome.text;
    else read.problems.push(`${fileSetting(name)} ${outcome.problem}`);
  }
  return read;
}

function toText(path: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text ? { text } : { problem: `names ${path}, which is empty` };
  } catch (error) {
    return { problem: `names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
