import type { Server } from './types.ts';

/** The headings of the documentation, in their order. */
export const TAGS: readonly { name: string; description: string }[] = [
  {
    name: 'Account',
    description: 'Whose data it is, what the plan includes, and how reports are collected.',
  },
  {
    name: 'Reports',
    description:
      'Single report records of one type and one hour, day or month, newest first. `/v1/reports/{type}` is the general form; each type has its exact parameters and records at a path of its own.',
  },
  {
    name: 'Graphs and analytics',
    description:
      'Counts of reports. All are sums of the same daily counts (UTC), so they agree with one another.',
  },
  { name: 'Policies', description: 'Saved Content Security Policies, and the wizard that builds one.' },
  {
    name: 'Watches',
    description:
      'Domains that are watched for new scripts, data connections, frames and policies, and what was found.',
  },
  {
    name: 'Certificate Transparency',
    description: 'Certificates that Certificate Transparency reports name.',
  },
  { name: 'Audit', description: 'Who did what in the account.' },
  {
    name: 'Export',
    description: `Everything, in order, for machines: as a stream without a cap, newest first, or with \`after\` in the order
in which it came. The doors, the key and the rate limit are those of \`/v1\`; answers have no \`ETag\`. The form is NDJSON,
CSV or a JSON array, by \`Accept\` or \`format\`. A stream that breaks ends without the end of its chunked encoding.

A service streams few exports at once; the next one gets \`429\` with \`Retry-After\`. Requests with \`after\` are short and
have no such limit. Each report that a load added or changed is given once for each change, and none is passed over:
tell repeats by \`id\`. What was deleted is not told.

In a list of values a comma behind a backslash belongs to its value: \`paths=/a\\,b,/c\` are two. An internal token names
the account in \`account\`, and has a rate limit like any key.`,
  },
];

export const DESCRIPTION = `Read-only access to the security reports of an account: report records, counts, watch findings, policies and
configuration. Every request is a \`GET\`, and all data is that of the account behind the key. Answers are JSON;
\`/export\` has NDJSON and CSV, too.

## Authentication
\`Authorization: Bearer <API key>\`. A personal key begins with \`svc_d_\`, a team key with \`svc_t_\`; a team key gives
the data of the whole team. After a trial of 30 days the API needs a plan at Business level or higher.

## Rate limit
A key has 120 requests in a window of 60 seconds, which begins with its first request. \`RateLimit\` says what is left;
behind it the answer is \`429\` with \`Retry-After\`.

## Conditional requests
Every answer of \`/v1\` has an \`ETag\`. Sent back as \`If-None-Match\`, it makes the answer a \`304\` without a body for as long as
nothing has changed. A \`304\` counts against the rate limit like any request.

## Size
A list of reports ends, \`truncated\`, before it would make an answer longer than 32 MiB; 1000 CSP reports have 1.1 MB as a
rule. An audit log without \`limit\` is all of it.

## Time
Everything is UTC. Timestamps are written \`YYYY-MM-DDTHH:mm:ss+00:00\`, days \`YYYY-MM-DD\`.

## Errors
\`{"error": "<text>"}\`, with the status that fits. Unknown parameters are ignored; a parameter that takes one value and is
given twice is an error.

## Unknown values
Every key is always there: an unknown text is \`""\`, an unknown number or time is \`null\`, an empty list is \`[]\`.
`;

export const API_KEY = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key: `svc_d_…` of a personal account, `svc_t_…` of a team.',
};

/** The address of a service on trial. */
export const LOCAL_URL = 'http://localhost:4000';

/** In the committed file, which belongs to no service yet. A service that serves it puts its own address in. */
export const SERVER: Server = {
  url: '{baseUrl}',
  description: 'A service.',
  variables: {
    baseUrl: {
      default: LOCAL_URL,
      description: 'Where the service is: scheme, host and port.',
    },
  },
};

/** @param baseUrl without a slash at its end */
export function servedAt(baseUrl: string): Server {
  return { url: baseUrl, description: 'The service that serves this document.' };
}
