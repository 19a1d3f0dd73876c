import { type Address, changed } from '../address.ts';
import { revealed } from '../format.ts';
import type { Wrong } from '../period.ts';
import { Link } from './link.tsx';

/** Says which parameters mean nothing. Numbers of anything else would be taken for those that were asked for. */
export function BadAddress({ address, wrong }: { address: Address; wrong: readonly Wrong[] }) {
  const left = Object.fromEntries(wrong.map(({ name }) => [name, undefined]));
  const isPeriod = wrong.some(({ name }) => PERIOD.includes(name));
  const to = changed(address, {
    ...left,
    ...(isPeriod && Object.fromEntries(PERIOD.map(name => [name, undefined]))),
  });
  return (
    <div class="notice problem" role="alert">
      <div>
        <p>
          <strong>The address asks for what there is not.</strong>
        </p>
        <ul>
          {wrong.map(({ name, value, expected }) => (
            <li key={`${name} ${value}`}>
              <code>{revealed(name)}</code> is <bdi class="wrap">{revealed(value) || 'empty'}</bdi>. Expected:{' '}
              {expected}.
            </li>
          ))}
        </ul>
      </div>
      <Link to={to}>Leave that out</Link>
    </div>
  );
}

const PERIOD = ['period', 'unit', 'date', 'from', 'to'];
