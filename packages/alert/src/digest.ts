import { SEVERITIES, type Severity, type Sign } from './signs.ts';

/** The signs of a period, for people. */
export interface Digest {
  /** `week`, as it is named in the heading. */
  period: string;
  from: Date;
  until: Date;
  signs: readonly Sign[];
  /** The address of the service, without a slash at its end. */
  base: string;
}

const HEADINGS: Record<Severity, string> = {
  threat: 'Threats',
  incident: 'Incidents',
  change: 'Changes',
  notice: 'Good to know',
};

/** Says so where nothing happened, so that a digest which does not come means something. */
const QUIET = (period: string) => `A quiet ${period}: nothing began that was not so before.`;

const CAUTION = 'Names come from reports, which anyone can send.';

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const headingOf = ({ period, from, until }: Digest) =>
  `Signs of the ${period} from ${dayOf(from)} to ${dayOf(until)}`;

interface Writer {
  escape(text: string): string;
  document(heading: string, parts: readonly string[]): string;
  section(heading: string, items: readonly string[]): string;
  item(title: string, detail: string, link: string): string;
  paragraph(text: string): string;
}

const markdown: Writer = {
  // Markdown, or HTML within it, could take these for more than text.
  escape: text => text.replace(/[\\`*_{}[\]()#+\-.!|<>~&:@/]/g, '\\$&').replace(/\s+/g, ' '),
  document: (heading, parts) => [`# ${heading}`, ...parts].join('\n\n'),
  section: (heading, items) => [`## ${heading}`, items.join('\n')].join('\n\n'),
  item: (title, detail, link) => `- **${title}** ([look](<${link}>))  \n  ${detail}`,
  paragraph: text => text,
};

const html: Writer = {
  escape: text => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`),
  document: (heading, parts) =>
    [
      `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${heading}</title>\n<h1>${heading}</h1>`,
      ...parts,
      '</html>',
    ].join('\n'),
  section: (heading, items) => `<h2>${heading}</h2>\n<ul>\n${items.join('\n')}\n</ul>`,
  item: (title, detail, link) => `<li><a href="${link}"><bdi>${title}</bdi></a><br><bdi>${detail}</bdi></li>`,
  paragraph: text => `<p>${text}</p>`,
};

const text: Writer = {
  escape: value => value.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' '),
  document: (heading, parts) => [heading, '='.repeat(heading.length), '', parts.join('\n\n')].join('\n'),
  section: (heading, items) => [heading, '-'.repeat(heading.length), items.join('\n\n')].join('\n'),
  item: (title, detail, link) => `${title}\n  ${detail}\n  ${link}`,
  paragraph: value => value,
};

export const DIGEST_FORMATS = { markdown, html, text } as const;
export type DigestFormat = keyof typeof DIGEST_FORMATS;

export function digestOf(digest: Digest, format: DigestFormat): string {
  const { signs, base, period } = digest;
  const writer: Writer = DIGEST_FORMATS[format];
  const itemOf = ({ title, detail, link }: Sign) =>
    writer.item(
      writer.escape(title),
      writer.escape(detail),
      format === 'html' ? writer.escape(base + link) : base + link,
    );
  const sections = SEVERITIES.map(severity => ({
    severity,
    own: signs.filter(sign => sign.severity === severity),
  }))
    .filter(({ own }) => own.length > 0)
    .map(({ severity, own }) => writer.section(HEADINGS[severity], own.map(itemOf)));
  const parts =
    sections.length === 0 ? [writer.paragraph(QUIET(period))] : [...sections, writer.paragraph(CAUTION)];
  return `${writer.document(headingOf(digest), parts)}\n`;
}
