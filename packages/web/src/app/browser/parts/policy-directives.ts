/** Returns the directives of a policy in order, each as a name followed by its sources. */
export function listDirectives(policy: string): [name: string, ...sources: string[]][] {
  return policy
    .split(';')
    .map(text => text.trim().split(/\s+/))
    .filter((parts): parts is [string, ...string[]] => Boolean(parts[0]));
}
