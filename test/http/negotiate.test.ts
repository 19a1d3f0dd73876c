import { expect, it } from 'vitest';
import { detectForm } from '../../src/export/forms.ts';
import { metricsForm } from '../../src/export/metrics.ts';
import { isGraphiQLPage } from '../../src/graphql/graphiql.ts';
import { chooseResponseType } from '../../src/graphql/media-types.ts';
import { namesType, preferredType } from '../../src/http/negotiate.ts';
import { ACCEPT_HEADERS } from '../support/accept-headers.ts';

it.each(ACCEPT_HEADERS)(
  'chooses the response types for %s: Accept: %s',
  (_, accept, graphql, exported, metrics) => {
    expect(chooseResponseType(accept)).toBe(graphql);
    expect(detectForm(undefined, accept).name).toBe(exported);
    expect(metricsForm(accept).contentType).toContain(`${metrics};`);
  },
);

it('equal preferences are decided by the order of the client', () => {
  const offers = ['a/a; charset=utf-8', 'b/b; version=1'];
  expect(preferredType('b/b, a/a; charset=utf-8', offers)).toBe(offers[1]);
  expect(preferredType('a/a, b/b', offers)).toBe(offers[0]);
});

it('a preference in quotes counts like one without', () => {
  const offers = ['a/a', 'b/b'];
  expect(preferredType('a/a;q="0.1", b/b;q=0.5', offers)).toBe('b/b');
  expect(preferredType('a/a;q="0"', offers)).toBeUndefined();
});

it('a preference above 1 counts as 1, and one below 0 as 0', () => {
  const offers = ['a/a', 'b/b'];
  expect(preferredType('a/a;q=1, b/b;q=7', offers)).toBe('a/a');
  expect(preferredType('a/a;q=-1, b/b;q=0.1', offers)).toBe('b/b');
  expect(preferredType('a/a;q=-1', offers)).toBeUndefined();
});

it.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['TEXT/HTML;charset=utf-8', true],
  ['text/html;q=0, */*', false],
  ['*/*', false],
  ['application/json; note="text/html"', false],
  ['application/json; note="a, text/html"', false],
  [undefined, false],
])('an explicit request for HTML is detected: %s', (accept, isNamed) => {
  expect(namesType(accept, 'text/html')).toBe(isNamed);
});

it('a browser without a key gets GraphiQL', () => {
  const isPage = (method: string, accept?: string, authorization?: string | string[]) =>
    isGraphiQLPage({ method, headers: { accept, authorization } as never });
  const html = 'text/html,*/*;q=0.8';
  expect([isPage('GET', html), isPage('GET', html, 'Basic bearer x'), isPage('GET', html, 'Bearer')]).toEqual(
    [true, true, true],
  );
  const others = [
    isPage('GET', html, 'Bearer x'),
    isPage('GET', html, 'bEARER x'),
    isPage('GET', html, ['Bearer x', 'Bearer y']),
    isPage('GET', '*/*'),
    isPage('GET'),
    isPage('HEAD', html),
    isPage('POST', html),
  ];
  expect(others).toEqual(others.map(() => false));
});
