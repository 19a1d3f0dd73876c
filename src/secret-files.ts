import { readFileSync } from 'node:fs';

/** The contents of the files that settings name, and the problems with them. */
export interface SecretFiles<Setting extends string> {
  values: Partial<Record<Setting, string>>;
  /** Each begins with the name of its setting. */
  problems: string[];
}

/** The setting that names the file of another one, as Docker and systemd hand over secrets. */
export function fileSetting<Setting extends string>(name: Setting): `${Setting}_FILE` {
  return `${name}_FILE`;
}

/**
 * Reads the settings that stand in files: `NAME_FILE` names the file of `NAME`. White space around the text is left out.
 * @param setting the trimmed value of a setting; undefined where there is none
 */
export function readSecretFiles<Setting extends string>(
  names: readonly Setting[],
  setting: (name: string) => string | undefined,
): SecretFiles<Setting> {
  const read: SecretFiles<Setting> = { values: {}, problems: [] };
  for (const name of names) {
    const path = setting(fileSetting(name));
    if (!path) continue;
    const outcome = setting(name) ? { problem: `is set beside ${name}: keep one of them` } : textOf(path);
    if ('text' in outcome) read.values[name] = outcome.text;
    else read.problems.push(`${fileSetting(name)} ${outcome.problem}`);
  }
  return read;
}

function textOf(path: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text ? { text } : { problem: `names ${path}, which is empty` };
  } catch (error) {
    return { problem: `names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
