const [JSON_TYPE, GRAPHQL, REFUSED] = ['application/json', 'application/graphql-response+json', undefined];
const [EVENTS, PARTS] = ['text/event-stream', 'multipart/mixed'];
const [OPENMETRICS, TEXT] = ['application/openmetrics-text', 'text/plain'];

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const PROMETHEUS_2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const PROMETHEUS_3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const PROMETHEUS_PROTOBUF =
  'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const TELEGRAF =
  'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
const ODATA =
  'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7';
const RESTSHARP =
  'application/json, text/json, text/x-json, text/javascript, *+json, application/xml, text/xml, *+xml, *';
const N8N =
  'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7';
const APOLLO_3 = '*/*';
const APOLLO_4 = 'application/graphql-response+json,application/json;q=0.9';
const URQL =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';
const RELAY = 'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8';
const AXIOS = 'application/json, text/plain, */*';

export type Row = [
  client: string,
  accept: string | undefined,
  graphql: string | undefined,
  exported: string,
  metrics: string,
  mcp: string | undefined,
];

/** `Accept` headers that clients send, and the content types they get. */
export const ACCEPT_HEADERS: readonly Row[] = [
  [
    'a client without a preference (Go, .NET, Java HttpClient)',
    undefined,
    JSON_TYPE,
    'ndjson',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['curl, requests, undici, wget, Postman, Excel', '*/*', JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['an empty header', '', JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['Chrome', CHROME, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['Firefox', FIREFOX, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['HttpURLConnection of Java', JAVA, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['axios', AXIOS, JSON_TYPE, 'json', TEXT, JSON_TYPE],
  ['okhttp with JSON', 'application/json', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ["Ruby's faraday with JSON", 'application/json; charset=utf-8', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ['Relay', RELAY, GRAPHQL, 'json', OPENMETRICS, JSON_TYPE],
  ['Apollo Client 3', APOLLO_3, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['Apollo Client 4', APOLLO_4, GRAPHQL, 'json', OPENMETRICS, JSON_TYPE],
  [
    'Apollo Kotlin',
    'multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json',
    GRAPHQL,
    'json',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['urql', URQL, GRAPHQL, 'json', OPENMETRICS, EVENTS],
  [
    'Strawberry Shake',
    'application/graphql-response+json; charset=utf-8, multipart/mixed; charset=utf-8',
    GRAPHQL,
    'ndjson',
    OPENMETRICS,
    REFUSED,
  ],
  [
    'Strawberry Shake with streams',
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8, text/event-stream; charset=utf-8',
    GRAPHQL,
    'json',
    OPENMETRICS,
    EVENTS,
  ],
  ['Grafana Infinity for JSON', 'application/json;q=0.9,text/plain', JSON_TYPE, 'json', TEXT, JSON_TYPE],
  ['Grafana Infinity for CSV', 'text/csv; charset=utf-8', REFUSED, 'csv', OPENMETRICS, REFUSED],
  ['Power BI', ODATA, JSON_TYPE, 'json', TEXT, JSON_TYPE],
  ['Prometheus 2', PROMETHEUS_2, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['Prometheus 3', PROMETHEUS_3, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['Prometheus with native histograms', PROMETHEUS_PROTOBUF, JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['Telegraf', TELEGRAF, JSON_TYPE, 'ndjson', TEXT, JSON_TYPE],
  ['vmagent', 'text/plain;version=0.0.4;q=1,*/*;q=0.1', JSON_TYPE, 'ndjson', TEXT, JSON_TYPE],
  ['Datadog', 'text/plain', REFUSED, 'ndjson', TEXT, REFUSED],
  ['Spring RestTemplate', 'application/json, application/*+json', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  [
    'Spring for GraphQL',
    'application/json, application/graphql-response+json, application/graphql+json',
    JSON_TYPE,
    'json',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['RestSharp', RESTSHARP, JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ['n8n', N8N, JSON_TYPE, 'json', TEXT, JSON_TYPE],
  ['n8n for JSON', 'application/json,text/*;q=0.99', JSON_TYPE, 'json', TEXT, JSON_TYPE],
  [
    'Excel with MSXML',
    'application/x-ms-application, image/jpeg, */*',
    JSON_TYPE,
    'ndjson',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['GraphiQL', 'application/json, multipart/mixed', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  [
    'graphql-request',
    'application/graphql-response+json, application/json',
    GRAPHQL,
    'json',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['assistants (MCP)', 'application/json, text/event-stream', JSON_TYPE, 'json', OPENMETRICS, EVENTS],
  ['Grafana Infinity for XML', 'text/xml;q=0.9,text/plain', REFUSED, 'ndjson', TEXT, REFUSED],
  ['only multipart/mixed', 'multipart/mixed', PARTS, 'ndjson', OPENMETRICS, REFUSED],
  ['only images', 'image/png', REFUSED, 'ndjson', OPENMETRICS, REFUSED],
  ['every type with weight zero', '*/*;q=0', REFUSED, 'ndjson', OPENMETRICS, REFUSED],
  [
    'any type with a low weight, but no JSON',
    'application/json;q=0, */*;q=0.1',
    GRAPHQL,
    'ndjson',
    OPENMETRICS,
    EVENTS,
  ],
  ['events in capitals and with a weight', 'TEXT/EVENT-STREAM;Q=1', EVENTS, 'ndjson', OPENMETRICS, EVENTS],
  ['a blank header', ' ', JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['the CSV type that the service sends', 'text/csv;header=present', REFUSED, 'csv', OPENMETRICS, REFUSED],
  [
    'CSV with charset and header parameter',
    'text/csv; charset=UTF-8; header=present',
    REFUSED,
    'csv',
    OPENMETRICS,
    REFUSED,
  ],
  [
    'CSV without a header, which is not offered',
    'text/csv; header=absent',
    REFUSED,
    'csv',
    OPENMETRICS,
    REFUSED,
  ],
  [
    'an unsupported charset',
    'application/json; charset=iso-8859-1',
    JSON_TYPE,
    'json',
    OPENMETRICS,
    JSON_TYPE,
  ],
  [
    'an unsupported and a supported charset',
    'text/csv;charset=latin1, application/json;charset=utf-8',
    JSON_TYPE,
    'json',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['another spelling of UTF-8', 'application/json;charset="utf8"', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ['another version of plain text', 'text/plain;version=1.0.0', REFUSED, 'ndjson', TEXT, REFUSED],
  [
    'several versions, one of them supported',
    'application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5',
    REFUSED,
    'ndjson',
    TEXT,
    REFUSED,
  ],
  [
    'weights',
    'application/json;q=0.5,text/csv;q=0.9,application/x-ndjson;q=0.1',
    JSON_TYPE,
    'csv',
    OPENMETRICS,
    JSON_TYPE,
  ],
  [
    'weights after parameters',
    'application/json;a="x,y;q=1";q=0.2, text/csv;q=0.3',
    JSON_TYPE,
    'csv',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['weights in capitals', 'APPLICATION/JSON;Q=0.1, Text/CSV;Q=0.5', JSON_TYPE, 'csv', OPENMETRICS, JSON_TYPE],
  ['weights out of range', 'application/json;q=7, text/csv;q=-1', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ['invalid weights', 'application/json;q=high, text/csv;q=0.5', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  [
    'an extension after the weight',
    'text/csv;q=0.5;level=1, application/json;q=0.4',
    JSON_TYPE,
    'csv',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['everything but JSON', 'application/json;q=0, */*', GRAPHQL, 'ndjson', OPENMETRICS, EVENTS],
  ['JSON with weight zero', 'application/json;q=0', REFUSED, 'ndjson', OPENMETRICS, REFUSED],
  ['a wildcard subtype', 'application/*', JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['a wildcard subtype of text', 'text/*', EVENTS, 'csv', TEXT, EVENTS],
  ['several headers in one', 'text/html, application/json', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ['empty members and parameters', ', application/json;, ,;', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  ['no valid media range', 'json', JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['an unclosed quote', '"application/json', JSON_TYPE, 'ndjson', OPENMETRICS, JSON_TYPE],
  ['a malformed entry before a type', 'json, application/json', JSON_TYPE, 'json', OPENMETRICS, JSON_TYPE],
  [
    'an alias of NDJSON',
    'application/ndjson, application/json;q=0.5',
    JSON_TYPE,
    'ndjson',
    OPENMETRICS,
    JSON_TYPE,
  ],
  ['an alias of CSV', 'application/csv, application/json;q=0.5', JSON_TYPE, 'csv', OPENMETRICS, JSON_TYPE],
  ['graphql-sse, EventSource of browsers', 'text/event-stream', EVENTS, 'ndjson', OPENMETRICS, EVENTS],
  [
    'streaming formats and JSON',
    'text/event-stream, multipart/mixed, application/json',
    JSON_TYPE,
    'json',
    OPENMETRICS,
    EVENTS,
  ],
  [
    'more types than any client sends',
    `text/csv,${'x/y,'.repeat(300)}`,
    JSON_TYPE,
    'ndjson',
    OPENMETRICS,
    JSON_TYPE,
  ],
];
