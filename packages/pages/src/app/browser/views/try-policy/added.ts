import type { Address } from '../../address.ts';

/** A source that is added to a policy. */
export interface Added {
  directive: string;
  source: string;
}

/** Days whose reports are looked at. */
export const DAYS = 30;

/** Sources that are ticked, as the address has them: `img-src data:`. */
export function addedIn({ params }: Address): Added[] {
  return params.getAll('add').map(text => {
    const [directive = '', source = ''] = text.split(' ');
    return { directive, source };
  });
}

export const nameOf = ({ directive, source }: Added) => `${directive} ${source}`;
