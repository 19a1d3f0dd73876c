import { hydrate, render } from 'preact';
import { followReader } from './contents.ts';
import { KnownKey } from './key.tsx';
import { type DocsLocation, type Operations, questionAt, withCurrentDay } from './operation.ts';
import { Request } from './request.tsx';
import { key, language } from './shared.ts';

const operations: Operations = JSON.parse(document.getElementById('operations')!.textContent!);
const today = new Date().toISOString().slice(0, 10);
const root = new URL('.', location.href).href.replace(/\/$/, '');
const base = document.documentElement.dataset.base || root;

for (const element of document.querySelectorAll<HTMLElement>('[data-request]')) {
  const place: DocsLocation = JSON.parse(element.dataset.request!);
  const initial = questionAt(place, operations);
  const current = withCurrentDay(initial, today);
  hydrate(<Request initial={initial} current={current} places={{ base, root }} />, element);
}
document.querySelector('.base code')!.textContent = `${base}/v1`;
render(<KnownKey />, document.getElementById('key')!);
language.subscribe(name => {
  document.documentElement.dataset.language = name;
});
// The key is removed, because browsers could restore it with the page.
addEventListener('pagehide', () => {
  key.value = '';
});
followReader();
