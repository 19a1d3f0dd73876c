import { type Address, withParams } from '../address.ts';
import { revealControlCharacters } from '../format.ts';
import { PERIOD_PARAMS, type Wrong } from '../period.ts';
import { Link } from './link.tsx';

/**
 * Lists the invalid parameters of an address. The page then shows no numbers, which visitors would mistake for the
 * requested ones.
 */
export function BadAddress({ address, wrong }: { address: Address; wrong: readonly Wrong[] }) {
  const left = Object.fromEntries(wrong.map(({ name }) => [name, undefined]));
  const isPeriod = wrong.some(({ name }) => PERIOD.includes(name));
  const to = withParams(address, {
    ...left,
    ...(isPeriod && Object.fromEntries(PERIOD.map(name => [name, undefined]))),
  });
  return (
    <div class="notice problem" role="alert">
      <div>
        <p>
          <strong>Invalid link.</strong>
        </p>
        <ul>
          {wrong.map(({ name, value, expected }) => (
            <li key={`${name} ${value}`}>
              <code>{revealControlCharacters(name)}</code> is{' '}
              <bdi class="wrap">{revealControlCharacters(value) || 'empty'}</bdi>. Expected: {expected}.
            </li>
          ))}
        </ul>
      </div>
      <Link to={to}>Remove what is invalid</Link>
    </div>
  );
}

const PERIOD: readonly string[] = PERIOD_PARAMS;
