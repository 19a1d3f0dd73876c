import { useLayoutEffect, useRef } from 'preact/hooks';
import { key } from './shared.ts';

/** A field for the visitor's key, shown before a request that needs it. */
export function KeyField() {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <p class="key">
      <label>
        Your API key
        <input
          ref={input}
          type="password"
          name="key"
          required
          autocomplete="off"
          // A header can contain only these characters.
          pattern="[!-~]+"
          title="Letters, digits and symbols, without spaces"
        />
      </label>
      <small class="quiet">It stays in the memory of this page, for all requests on it.</small>
    </p>
  );
}

/** A note that a key is set, with a button to forget it. */
export function KnownKey() {
  if (!key.use()) return null;
  return (
    <span class="known">
      <span>Your key is in memory.</span>{' '}
      <button
        type="button"
        onClick={() => {
          key.value = '';
        }}
      >
        Forget the key
      </button>
    </span>
  );
}
