export {
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
export { directiveName, type Judge, judgeOf, type Outcome, type Verdict, type Violation } from './judge.ts';
export { addressReader } from './match.ts';
export { type Policy, parsePolicy, policyText } from './policy.ts';
export { parseSource, type Source } from './source.ts';
