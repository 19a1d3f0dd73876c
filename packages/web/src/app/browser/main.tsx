import { render } from 'preact';
import { isProxied } from './api.ts';
import { App } from './app.tsx';
import { ProxiedApp } from './proxied-app.tsx';

// Removes dismissed insights that earlier versions stored in the browser.
for (const name of Object.keys(localStorage))
  if (name.startsWith('sightline-dismissed ')) localStorage.removeItem(name);

render(isProxied ? <ProxiedApp /> : <App />, document.getElementById('app')!);
