export {
  createTightness,
  type DirectiveSource,
  directiveToChange,
  ignoredSources,
  isAsTight,
  openedBy,
  sourceFor,
  unusedSources,
  withSources,
} from './change.ts';
export { hasSources } from './directives.ts';
export {
  createJudge as judgeOf,
  directiveName,
  type Judge,
  type PolicyOutcome as Outcome,
  type PolicyVerdict as Verdict,
  type Violation,
} from './judge.ts';
export { addressReader } from './match.ts';
export { getPath, matchPath } from './paths.ts';
export { type Policy, parsePolicy, policyText } from './policy.ts';
export { measureReach, type ReportedViolation, type ViolationReach } from './reach.ts';
export {
  type Effect,
  type Example,
  listPlaces,
  type Outcomes,
  type ReplayResult,
  replay,
  replayChange,
} from './replay.ts';
export { parseSource, type Source } from './source.ts';
export { beginTurn, eachInTurns, isTurnOver, isWorkWaiting, nextTurn, TurnClock } from './turns.ts';
export { isTooLong, LONGEST_HOST, parseUrl } from './url.ts';
