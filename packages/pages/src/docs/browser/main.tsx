import { hydrate, render } from 'preact';
import { followReader } from './contents.ts';
import { KnownKey } from './key.tsx';
import { type Operations, ofToday, type Place, questionAt } from './operation.ts';
import { Request } from './request.tsx';
import { key, language } from './shared.ts';

const operations: Operations = JSON.parse(document.getElementById('operations')!.textContent!);
const today = new Date().toISOString().slice(0, 10);
const root = new URL('.', location.href).href.replace(/\/$/, '');
const base = document.documentElement.dataset.base || root;

for (const element of document.querySelectorAll<HTMLElement>('[data-request]')) {
  const place: Place = JSON.parse(element.dataset.request!);
  const initial = questionAt(place, operations);
  const current = ofToday(initial, today);
  hydrate(<Request initial={initial} current={current} places={{ base, root }} />, element);
}
document.querySelector('.base code')!.textContent = `${base}/v1`;
render(<KnownKey />, document.getElementById('key')!);
language.told(name => {
  document.documentElement.dataset.language = name;
});
// The browser would bring it back with the page.
addEventListener('pagehide', () => {
  key.value = '';
});
followReader();
