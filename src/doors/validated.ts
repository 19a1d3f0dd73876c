import { randomUUID } from 'node:crypto';
import type { Body } from '@sightline/json';
import { type Soon, thenIfPromise } from '@sightline/json/then-if-promise';
import type { Server } from '../../sql/servers/servers.ts';
import { type AnswerCache, onlyReply } from '../http/answers.ts';
import { entityTag, matches } from '../http/conditional.ts';
import type { Header, Reply } from '../http/reply.ts';
import type { DoorDependencies } from './dependencies.ts';
import type { Entered, Known } from './enter.ts';

/** An answer that depends on the account's version, and on nothing else that its tag does not name. */
export interface Validated {
  /** Changes with whatever makes other answers of the same data. */
  release: string;
  /** The time that the answer depends on. */
  period: string;
  headers: Record<string, string>;
  make(entered: Entered): Body | Promise<Body>;
  /** Looks up the caller once more. */
  lookUp(server: Server): Promise<Known>;
}

/** Answers with an entity tag, with 304 to who has the same, and from the answers that are kept. */
export function createValidated({ servers }: DoorDependencies, answers: AnswerCache) {
  /** @param tries how often the account may move on meanwhile; then its tag tells no state */
  return function answer(entered: Entered, what: Validated, tries = 3): Soon<Reply> {
    const { request, server, known } = entered;
    const target = `${request.path}?${request.query}`;
    const tag = entityTag(what.release + server.timeline, known.account, what.period, target);
    const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', ...what.headers };
    const unchanged = { status: 304, headers, body: '' };
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
    if (matches(ifNoneMatch, tag)) return unchanged;
    const kept = answers.get(tag);
    // "*" names whatever there is, so it has to be known that there is something.
    if (kept) return ifNoneMatch === '*' ? unchanged : kept.reply(headers, acceptEncoding);
    const given = (body: Body) =>
      ifNoneMatch === '*' ? unchanged : answers.first(tag, body, headers, acceptEncoding);
    const work = what.make(entered);
    return thenIfPromise(work instanceof Promise ? request.inTime(work) : work, body => {
      // While a change is announced, several servers may have come to different versions of it.
      if (known.isChanging) return uncacheable(body, headers, acceptEncoding);
      // The rows may be of a version that came meanwhile; of several servers, one may lag behind the others.
      if (!servers.areSeveral && performance.now() < known.sureUntil) return given(body);
      return what.lookUp(server).then(present => {
        if (present.account.version === known.account.version) return given(body);
        if (tries > 0) return answer({ ...entered, known: present }, what, tries - 1);
        return uncacheable(body, headers, acceptEncoding);
      });
    });
  };
}

/**
 * The data moved on while it was read, or is about to: the answer is right, but it is not known of which version. So
 * its tag is of this answer alone, and it is not kept.
 */
function uncacheable(body: Body, headers: Record<string, string>, acceptEncoding: Header): Soon<Reply> {
  headers.ETag = `W/"${randomUUID()}"`;
  return onlyReply({ status: 200, headers, body }, acceptEncoding);
}
