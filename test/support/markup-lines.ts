import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

const LINES =
  'section|table|thead|tbody|tr|t[dh]|p|div|d[ltd]|ul|li|figure|details|h\\d|svg|g|rect|text|label|select|option';

/**
 * Renders the markup of an element as lines, with rounded numbers, and without icons and the time in the visitor's
 * zone.
 */
export function renderLines<Props>(element: VNode<Props>): string {
  return renderToString(element)
    .replace(/<svg class="icon".*?<\/svg>/g, '')
    .replace(new RegExp(`(?<=.)<(?=(${LINES})\\b)`, 'g'), '\n<')
    .replace(/\n[^\n"]* for you"/g, ' +"')
    .replace(/(.)\1{19,}/g, (all, character) => `${character}…${all.length}`)
    .replace(/(?<![:\d])\d+\.\d{2,}/g, number => String(Math.round(Number(number) * 10) / 10));
}
