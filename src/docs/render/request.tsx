import { LOCAL_URL } from '../../openapi/about.ts';
import { type Operations, type Place, questionAt } from '../browser/operation.ts';
import { Request } from '../browser/request.tsx';

/** A request, with what a browser needs to make it work. */
export function RequestPlace({ place, operations }: { place: Place; operations: Operations }) {
  return (
    <div data-request={JSON.stringify(place)}>
      <Request initial={questionAt(place, operations)} places={{ base: LOCAL_URL, root: '' }} />
    </div>
  );
}
