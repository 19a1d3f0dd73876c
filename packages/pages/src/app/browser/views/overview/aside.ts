import { useState } from 'preact/hooks';

/** Where the ids of signs are kept that a visitor has put aside: in this browser, for whichever account. */
const NAME = 'sightline-aside';
/** A sign is told for a week, so older ids are of no use. */
const MOST = 500;

/** The signs that were put aside, and a way to put one aside or take it back. */
export function useAside() {
  const [ids, setIds] = useState(read);
  const toggle = (id: string) => {
    const known = read();
    const next = known.includes(id) ? known.filter(one => one !== id) : [...known, id].slice(-MOST);
    localStorage.setItem(NAME, JSON.stringify(next));
    setIds(next);
  };
  return { has: (id: string) => ids.includes(id), toggle };
}

function read(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
