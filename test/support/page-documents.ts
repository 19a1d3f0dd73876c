import * as documents from '../../packages/web/src/app/browser/documents/documents.generated.ts';

export interface PageDocument {
  name: string;
  query: string;
  variables: Record<string, unknown>;
}

/** Values for the variables of the page's documents, by name or type. */
const listValues = (account: string, now: string): Record<string, unknown> => ({
  account,
  type: 'csp',
  date: now.slice(0, 7),
  unit: 'months',
  since: `${now.slice(0, 10)}T00:00:00Z`,
  begin: `${now.slice(0, 10)}T00:00:00Z`,
  past: `${now.slice(0, 8)}01T00:00:00Z`,
  time: ['DAY'],
  page: { hostnames: ['*e*'] },
  blocked: { blockedHostnames: ['*e*'] },
  resource: { subresourceHostnames: ['*e*'] },
  source: { sourceIp: '192.0.2.1' },
  server: { serverIp: '192.0.2.1' },
  hash: { subresourceHashes: ['*'] },
  report: { id: 'none' },
  'ID!': 'none',
  'Boolean!': true,
  'HostName!': 'own.example.com',
  'PolicyText!': "default-src 'self'",
  'DmarcText!': 'v=DMARC1; p=reject',
  'Instant!': `${now.slice(0, 8)}01T00:00:00Z`,
  'ReportFilter!': {},
  '[GroupBy!]!': ['BLOCKED_URI', 'PAGE', 'DIRECTIVE'],
});

/**
 * The page's documents that an account key can run, with their variables.
 * @param more values for some variables
 * @throws {Error} if a required variable has no value
 */
export function pageDocuments(
  account: string,
  now: string,
  more: Record<string, unknown> = {},
): PageDocument[] {
  const values = { ...listValues(account, now), ...more };
  return Object.entries(documents).flatMap(([key, document]) => {
    const name = /^(\w+)Document$/.exec(key)?.[1];
    if (name === undefined || name === 'Accounts') return [];
    const query = String(document);
    return { name, query, variables: pickVariables(name, query, values) };
  });
}

/** If both exist, `unit` and `date` select a period. */
function pickVariables(
  name: string,
  query: string,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const declared = [...query.matchAll(/\$(\w+): ([^\s,)]+)/g)];
  const hasUnit = declared.some(([, variable]) => variable === 'unit');
  const picked: Record<string, unknown> = {};
  for (const [, variable = '', type = ''] of declared) {
    if (hasUnit && variable === 'from') continue;
    const value = values[variable] ?? values[type];
    if (value !== undefined) picked[variable] = value;
    else if (type.endsWith('!'))
      throw new Error(`test/support/page-documents.ts has no value of $${variable}, which ${name} declares`);
  }
  return picked;
}
