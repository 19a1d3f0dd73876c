import { randomUUID } from 'node:crypto';
import type { ReadServer } from '../../sql/servers/servers.ts';
import type { JsonBody } from '../executor/json.ts';
import { type MaybePromise, mapMaybePromise } from '../executor/maybe-promise.ts';
import { type BodyCache, onlyReply } from '../http/answers.ts';
import { entityTag, matches } from '../http/conditional.ts';
import type { HeaderValue, Reply } from '../http/reply.ts';
import type { PipelineDependencies } from './dependencies.ts';
import type { AuthenticatedRequest, IdentifiedCaller } from './pipeline.ts';

/** A response that depends only on the account's version and on the other parts of its tag. */
export interface ConditionalBody {
  /** Changes whenever something other than the data changes the response. */
  release: string;
  /** The period of time that the response depends on. */
  period: string;
  headers: Record<string, string>;
  make(authenticated: AuthenticatedRequest): JsonBody | Promise<JsonBody>;
  /** Looks up the caller again. */
  lookUp(server: ReadServer): Promise<IdentifiedCaller>;
}

/** Adds entity tags. Responds with 304 to clients that have the current version, and uses cached responses. */
export function createValidated({ servers }: PipelineDependencies, answers: BodyCache) {
  /** @param tries number of changes of the account during reads after which no tag is sent */
  return function answer(
    authenticated: AuthenticatedRequest,
    what: ConditionalBody,
    tries = 3,
  ): MaybePromise<Reply> {
    const { request, server, caller } = authenticated;
    const target = `${request.path}?${request.query}`;
    const tag = entityTag(what.release + server.timeline, caller.account, what.period, target);
    const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', ...what.headers };
    const unchanged = { status: 304, headers, body: '' };
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
    if (matches(ifNoneMatch, tag)) return unchanged;
    const cached = answers.get(tag);
    // "*" matches any existing representation, so there must be one.
    if (cached) return ifNoneMatch === '*' ? unchanged : cached.reply(headers, acceptEncoding);
    const toReply = (body: JsonBody) =>
      ifNoneMatch === '*' ? unchanged : answers.first(tag, body, headers, acceptEncoding);
    const work = what.make(authenticated);
    return mapMaybePromise(work instanceof Promise ? request.inTime(work) : work, body => {
      // While a change is announced, the versions of several servers can differ.
      if (caller.invalidationPending) return uncacheable(body, headers, acceptEncoding);
      // The rows can belong to a newer version, or to an older one on a lagging server.
      if (!servers.areSeveral && performance.now() < caller.validUntil) return toReply(body);
      return what.lookUp(server).then(present => {
        if (present.account.version === caller.account.version) return toReply(body);
        if (tries > 0) return answer({ ...authenticated, caller: present }, what, tries - 1);
        return uncacheable(body, headers, acceptEncoding);
      });
    });
  };
}

/**
 * The data changed during the read, or are about to. The response is valid, but its version is unknown, so it gets a
 * unique tag and is not cached.
 */
function uncacheable(
  body: JsonBody,
  headers: Record<string, string>,
  acceptEncoding: HeaderValue,
): MaybePromise<Reply> {
  headers.ETag = `W/"${randomUUID()}"`;
  return onlyReply({ status: 200, headers, body }, acceptEncoding);
}
