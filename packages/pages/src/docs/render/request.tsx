import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Operations, type Place, questionAt } from '../browser/operation.ts';
import { Request } from '../browser/request.tsx';

/** The address of the API in examples. */
export const Base = createContext('');

/** A request, with what a browser needs to make it work. */
export function RequestPlace({ place, operations }: { place: Place; operations: Operations }) {
  return (
    <div data-request={JSON.stringify(place)}>
      <Request initial={questionAt(place, operations)} places={{ base: useContext(Base), root: '' }} />
    </div>
  );
}
