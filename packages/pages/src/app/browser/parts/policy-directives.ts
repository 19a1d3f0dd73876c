/** The directives of a policy in their order, each a name and its sources. */
export function directivesOf(policy: string): [name: string, ...sources: string[]][] {
  return policy
    .split(';')
    .map(text => text.trim().split(/\s+/))
    .filter((parts): parts is [string, ...string[]] => Boolean(parts[0]));
}
