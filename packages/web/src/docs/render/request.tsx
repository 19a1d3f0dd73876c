import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type DocsLocation, type Operations, questionAt } from '../browser/operation.ts';
import { Request } from '../browser/request.tsx';

/** The URL of the API in the examples. */
export const Base = createContext('');

/** A request, with the data that the browser needs to make it interactive. */
export function RequestPlace({ place, operations }: { place: DocsLocation; operations: Operations }) {
  return (
    <div data-request={JSON.stringify(place)}>
      <Request initial={questionAt(place, operations)} places={{ base: useContext(Base), root: '' }} />
    </div>
  );
}
