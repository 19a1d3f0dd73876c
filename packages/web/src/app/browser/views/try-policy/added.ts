import type { Address } from '../../address.ts';

/** A source that is added to a policy. */
export interface AddedSource {
  directive: string;
  source: string;
}

/** Number of days that are replayed. */
export const DAYS = 30;

/** Returns the ticked sources in an address, such as `img-src data:`. */
export function readAddedSources({ params }: Address): AddedSource[] {
  return params.getAll('add').map(text => {
    const [directive = '', source = ''] = text.split(' ');
    return { directive, source };
  });
}

export const getName = ({ directive, source }: AddedSource) => `${directive} ${source}`;
