/** Returns constant names, which contain no quotes, as a list of SQL literals, such as `'csp', 'nel'`. */
export const toLiterals = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ');
