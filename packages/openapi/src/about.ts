import type { OpenApiServer } from './types.ts';

/** The headings of the documentation, in order. */
export const TAGS: readonly { name: string; description: string }[] = [
  {
    name: 'Account',
    description: 'The account, its plan, and how reports are collected.',
  },
  {
    name: 'Reports',
    description:
      'Single report records of one type and one hour, day or month, newest first. `/v1/reports/{type}` is the general form; each type has its exact parameters and records at a path of its own.',
  },
  {
    name: 'Graphs and analytics',
    description:
      'Counts of reports. All of them are sums of the same daily counts (UTC), so they agree with each other.',
  },
  { name: 'Policies', description: 'Saved Content Security Policies, and the wizard that builds a policy.' },
  {
    name: 'Watches',
    description:
      'Domains that are watched for new scripts, data connections, frames and policies, and their findings.',
  },
  {
    name: 'Certificate Transparency',
    description: 'Certificates from Certificate Transparency reports.',
  },
  { name: 'Audit', description: 'The log of actions in the account.' },
  {
    name: 'Export',
    description: `All records, for other programs: as a stream without a limit, newest first, or with \`after\` in order of arrival. Authentication, errors and the rate limit are those of \`/v1\`; responses have no \`ETag\`. \`Accept\` or \`format\` selects NDJSON, CSV or a JSON array. A stream that fails ends without the final chunk of its chunked encoding. A service limits the number of concurrent streams; further exports get \`429\` with \`Retry-After\`. Requests with \`after\` are short and
have no such limit. Each report that a load added or changed is returned once for each change, and none is skipped; detect repeats by \`id\`. Deletions are not reported. In a list of values, a comma after a backslash is part of the value: \`paths=/a\\,b,/c\` are two. A request with an internal token names the account in \`account\`, and is rate-limited like any key.`,
  },
];

export const DESCRIPTION = `Read-only access to the security reports of an account: report records, counts, watch findings, policies and
configuration. Every request is a \`GET\`, and all data belongs to the account of the key. Responses are JSON;
\`/export\` also supports NDJSON and CSV.

## Authentication
\`Authorization: Bearer <API key>\`. A personal key begins with \`svc_d_\`, a team key with \`svc_t_\`; a team key gives
access to the data of the whole team. After a trial of 30 days, the API requires a Business plan or higher.

## Rate limit
A key can send 120 requests in a window of 60 seconds, which begins with its first request. \`RateLimit\` gives the number
of remaining requests. Further requests get \`429\` with \`Retry-After\`.

## Conditional requests
Every response of \`/v1\` has an \`ETag\`. If a request sends it as \`If-None-Match\`, the response is a \`304\` without a body
as long as nothing has changed. A \`304\` counts against the rate limit like any other response.

## Size
A list of reports is \`truncated\` before the response exceeds 32 MiB; 1000 CSP reports usually have 1.1 MB. Without
\`limit\`, the audit log is returned completely.

## Time
All times are in UTC. Timestamps have the format \`YYYY-MM-DDTHH:mm:ss+00:00\`, and days \`YYYY-MM-DD\`.

## Errors
An error is \`{"error": "<text>"}\` with the appropriate status. Unknown parameters are ignored. Repeating a parameter that
accepts only one value is an error.

## Unknown values
Every key is always present: an unknown text is \`""\`, an unknown number or time is \`null\`, and an empty list is \`[]\`.
`;

export const API_KEY = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key: `svc_d_…` of a personal account, `svc_t_…` of a team.',
};

/** The URL of a locally running service. */
export const LOCAL_URL = 'http://localhost:4000';

/** The committed file belongs to no particular service. A service that serves it inserts its own URL. */
export const SERVER: OpenApiServer = {
  url: '{baseUrl}',
  description: 'A service.',
  variables: {
    baseUrl: {
      default: LOCAL_URL,
      description: 'The scheme, host and port of the service.',
    },
  },
};

/** @param baseUrl without a trailing slash */
export function servedAt(baseUrl: string): OpenApiServer {
  return { url: baseUrl, description: 'The service that serves this document.' };
}
