import { Marked, type Token, type Tokens } from 'marked';
import { parse } from 'yaml';
import type { Place } from '../browser/operation.ts';

const marked = new Marked();

/** A text of the description, within a line: the HTML of an element. */
export function inline(text: string): { __html: string } {
  return { __html: marked.parseInline(text, { async: false }) };
}

/** A text of the description, in paragraphs. */
export function Block({ text, class: name }: { text: string; class?: string }) {
  return <div class={name} dangerouslySetInnerHTML={{ __html: marked.parse(text, { async: false }) }} />;
}

/** A part of a guide below a heading of its own: what is read, and the requests and listings beside it. */
export interface Section {
  title: string;
  html: string;
  beside: ({ place: Place } | { listing: string })[];
}

export interface Guide {
  slug: string;
  title: string;
  sections: Section[];
}

/**
 * Reads a guide: a heading, then sections. A block ```` ```try getMe ```` is a request with values in YAML; the one of
 * `graphql` holds a document.
 */
export function readGuide(slug: string, text: string): Guide {
  const [title, ...tokens] = marked.lexer(text).filter(({ type }) => type !== 'space');
  const sections: Token[][] = [];
  for (const token of tokens) {
    if (isHeading(token) || sections.length === 0) sections.push([]);
    sections.at(-1)!.push(token);
  }
  return { slug, title: (title as Tokens.Heading).text, sections: sections.map(sectionOf) };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

function sectionOf(tokens: Token[]): Section {
  const [first] = tokens;
  const text = tokens.filter(
    token => !isCode(token) && token !== (first && isHeading(first) ? first : undefined),
  );
  return {
    title: first && isHeading(first) ? first.text : '',
    html: marked.parser(text),
    beside: tokens.filter(isCode).map(({ lang = '', text }) => {
      const [kind, operation = ''] = lang.split(' ');
      return kind === 'try' ? { place: placeOf(operation, text) } : { listing: text };
    }),
  };
}

function placeOf(operation: string, text: string): Place {
  if (operation === 'graphql') return { document: text };
  const values = Object.entries((parse(text) ?? {}) as Record<string, unknown>);
  return { operation, values: Object.fromEntries(values.map(([name, value]) => [name, String(value)])) };
}
