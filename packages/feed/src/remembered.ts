/** Answers that are kept by default, and the longest text whose answer is kept. */
const MOST = 10_000;
const LONGEST = 500;

/** The same function of a text, which remembers: the same few hosts, addresses and policies come again and again. */
export function remembered<Answer>(answer: (text: string) => Answer, most = MOST): (text: string) => Answer {
  const known = new Map<string, { answer: Answer }>();
  return text => {
    if (text.length > LONGEST) return answer(text);
    const found = known.get(text);
    if (found) return found.answer;
    const made = answer(text);
    if (known.size >= most) known.clear();
    known.set(text, { answer: made });
    return made;
  };
}
