/** The access of a tool to the service: the key of one account. */
export interface Ask {
  /** A GraphQL request. @throws {AskFailed} */
  graphql<Data>(query: string, variables: object): Promise<Data>;
  /** A GET. @throws {AskFailed} */
  get<Data>(path: string, query: Record<string, string>): Promise<Data>;
  /** The service's time, as its last answer told it. This machine's own clock may be wrong. */
  now(): Date;
  /** The address of a place of the page. */
  link(place: string, params?: Record<string, string>): string;
}

/** The message is the service's own, and holds nothing of a report. */
export class AskFailed extends Error {
  override name = 'AskFailed';
}

/** Milliseconds: the service ends a request by itself before. */
const LIMIT = 30_000;

/** @param url of the service, without a slash at its end */
export function askWith(url: string, authorization: string): Ask {
  let ahead = 0;

  async function send(target: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(LIMIT);
    const answer = await fetch(url + target, { ...init, headers, signal, redirect: 'error' }).catch(() => {
      throw new AskFailed(`The service at ${url} does not answer`);
    });
    ahead = (Date.parse(answer.headers.get('date') ?? '') || Date.now()) - Date.now();
    const body = (await answer.json().catch(() => undefined)) as { error?: string } | undefined;
    if (answer.ok && body !== undefined) return body;
    throw new AskFailed(body?.error ?? `The service answers with HTTP ${answer.status}`);
  }

  return {
    async graphql<Data>(query: string, variables: object) {
      const init = { method: 'POST', body: JSON.stringify({ query, variables }) };
      const { data, errors } = (await send('/graphql', init)) as {
        data?: { viewer: Data | null };
        errors?: { message: string }[];
      };
      if (errors?.[0]) throw new AskFailed(errors[0].message);
      if (!data?.viewer) throw new AskFailed('This needs the key of an account: an internal token has none');
      return data.viewer;
    },
    async get<Data>(path: string, query: Record<string, string>) {
      return (await send(`${path}?${new URLSearchParams(query)}`)) as Data;
    },
    now: () => new Date(Date.now() + ahead),
    link(place, params = {}) {
      const query = new URLSearchParams(params).toString();
      return `${url}/app#/${place}${query && `?${query}`}`;
    },
  };
}
