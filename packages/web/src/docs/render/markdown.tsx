import { Marked, type Token, type Tokens } from 'marked';
import { parse } from 'yaml';
import type { DocsLocation } from '../browser/operation.ts';

const marked = new Marked();

/** Renders a text of the description as inline HTML. */
export function inline(text: string): { __html: string } {
  return { __html: marked.parseInline(text, { async: false }) };
}

/** Renders a text of the description as paragraphs. */
export function Block({ text, class: name }: { text: string; class?: string }) {
  return <div class={name} dangerouslySetInnerHTML={{ __html: marked.parse(text, { async: false }) }} />;
}

/** A section of a guide: its text, and the requests and listings next to it. */
export interface Section {
  title: string;
  html: string;
  related: ({ place: DocsLocation } | { listing: string })[];
}

export interface Guide {
  slug: string;
  title: string;
  sections: Section[];
}

/**
 * Reads a guide: a heading, then sections. A ```` ```try getMe ```` block is a request with values in YAML; a ````
 * ```try graphql ```` block contains a document.
 */
export function readGuide(slug: string, text: string): Guide {
  const [title, ...tokens] = marked.lexer(text).filter(({ type }) => type !== 'space');
  const sections: Token[][] = [];
  for (const token of tokens) {
    if (isHeading(token) || sections.length === 0) sections.push([]);
    sections.at(-1)!.push(token);
  }
  return { slug, title: (title as Tokens.Heading).text, sections: sections.map(toSection) };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

function toSection(tokens: Token[]): Section {
  const [first] = tokens;
  const text = tokens.filter(
    token => !isCode(token) && token !== (first && isHeading(first) ? first : undefined),
  );
  return {
    title: first && isHeading(first) ? first.text : '',
    html: marked.parser(text),
    related: tokens.filter(isCode).map(({ lang = '', text }) => {
      const [kind, operation = ''] = lang.split(' ');
      return kind === 'try' ? { place: findPlace(operation, text) } : { listing: text };
    }),
  };
}

function findPlace(operation: string, text: string): DocsLocation {
  if (operation === 'graphql') return { document: text };
  const values = Object.entries((parse(text) ?? {}) as Record<string, unknown>);
  return { operation, values: Object.fromEntries(values.map(([name, value]) => [name, String(value)])) };
}
