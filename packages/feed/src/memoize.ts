/** Default number of cached texts, and maximum length of a cached text. */
const MOST = 10_000;
const LONGEST = 500;

/** Memoizes a function of a text, such as a host, an address or a policy, because a few texts recur in most reports. */
export function memoize<Answer>(answer: (text: string) => Answer, most = MOST): (text: string) => Answer {
  const seen = new Map<string, { answer: Answer }>();
  return text => {
    if (text.length > LONGEST) return answer(text);
    const found = seen.get(text);
    if (found) return found.answer;
    const made = answer(text);
    if (seen.size >= most) seen.clear();
    seen.set(text, { answer: made });
    return made;
  };
}
