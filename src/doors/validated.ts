import { randomUUID } from 'node:crypto';
import type { Server } from '../../sql/servers/servers.ts';
import { type AnswerCache, onlyReply } from '../http/answers.ts';
import { entityTag, matches } from '../http/conditional.ts';
import type { Reply } from '../http/reply.ts';
import type { Body } from '../json/json.ts';
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

export type AnswerValidated = (entered: Entered, what: Validated) => Promise<Reply>;

/** Answers with an entity tag, with 304 to who has the same, and from the answers that are kept. */
export function createValidated({ servers }: DoorDependencies, answers: AnswerCache): AnswerValidated {
  /** @param tries how often the account may move on meanwhile; then its tag tells no state */
  async function answer(entered: Entered, what: Validated, tries: number): Promise<Reply> {
    const { request, server, known } = entered;
    const { account } = known;
    const target = `${request.path}?${request.query}`;
    const tag = entityTag(what.release + server.timeline, account, what.period, target);
    const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', ...what.headers };
    const unchanged = { status: 304, headers, body: '' };
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
    if (matches(ifNoneMatch, tag)) return unchanged;
    const kept = answers.get(tag);
    // "*" names whatever there is, so it has to be known that there is something.
    if (kept) return ifNoneMatch === '*' ? unchanged : kept.reply(headers, acceptEncoding);
    const work = what.make(entered);
    const body = work instanceof Promise ? await request.inTime(work) : work;
    // While a change is announced, several servers may have come to different versions of it.
    if (known.isChanging) return uncacheable(body, headers, acceptEncoding);
    // The rows may be of a version that came meanwhile; of several servers, one may lag behind the others.
    if (servers.areSeveral || performance.now() >= known.sureUntil) {
      const present = await what.lookUp(server);
      const isSame = present.account.version === account.version;
      if (!isSame && tries > 0) return answer({ ...entered, known: present }, what, tries - 1);
      if (!isSame) return uncacheable(body, headers, acceptEncoding);
    }
    if (ifNoneMatch === '*') return unchanged;
    return answers.first(tag, body, headers, acceptEncoding);
  }
  return (entered, what) => answer(entered, what, 3);
}

/**
 * The data moved on while it was read, or is about to: the answer is right, but it is not known of which version. So
 * its tag is of this answer alone, and it is not kept.
 */
function uncacheable(
  body: Body,
  headers: Record<string, string>,
  acceptEncoding: string | string[] | undefined,
): Promise<Reply> {
  headers.ETag = `W/"${randomUUID()}"`;
  return onlyReply({ status: 200, headers, body }, acceptEncoding);
}
