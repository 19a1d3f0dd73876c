import { truncateText } from '@sightline/reports';
import { onOneLine } from './bounds.ts';
import { type Insight, SEVERITIES, type Severity } from './insights.ts';
import { toLink } from './link.ts';

/** The insights of a period, formatted for people. */
export interface Digest {
  /** The period as named in the heading, such as `week`. */
  period: string;
  from: Date;
  until: Date;
  insights: readonly Insight[];
  /** The URL of the service, without a trailing slash. */
  base: string;
}

const HEADINGS: Record<Severity, string> = {
  threat: 'Threats',
  incident: 'Incidents',
  change: 'Changes',
  notice: 'Good to know',
};

/** The text of a digest without insights. It is sent so that a missing digest is noticed. */
const QUIET = (period: string) => `A quiet ${period}: nothing new began.`;

const CAUTION = 'Names come from reports, which anyone can send.';

const toDay = (date: Date) => date.toISOString().slice(0, 10);
const formatHeading = ({ period, from, until }: Digest) =>
  `Insights of the ${period} from ${toDay(from)} to ${toDay(until)}`;

/**
 * Maximum length of a title in characters. Even escaped and in UTF-8, it fits into a line of a mail, which has at most
 * 998 bytes (RFC 5322, section 2.1.1).
 */
const LONGEST_TITLE = 150;
const LONGEST_DETAIL = 2000;
const WIDTH = 76;

/** Wraps text at words. Words that are too long for a mail are split. */
function wrapText(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap(long => long.match(/.{1,150}/gsu) ?? [])) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface Writer {
  escape(text: string): string;
  document(heading: string, parts: readonly string[]): string;
  section(heading: string, items: readonly string[]): string;
  item(title: string, detail: string, link: string): string;
  paragraph(text: string): string;
}

const markdown: Writer = {
  // Escapes the characters that have a meaning in Markdown or in embedded HTML.
  escape: text => text.replace(/[\\`*_{}[\]()#+\-.!|<>~&:@/=]/g, '\\$&'),
  document: (heading, parts) => [`# ${heading}`, ...parts].join('\n\n'),
  section: (heading, items) => [`## ${heading}`, items.join('\n')].join('\n\n'),
  item: (title, detail, link) => `- **${title}**\n  ([look](<${link}>))  \n  ${detail}`,
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
  item: (title, detail, link) =>
    `<li><a href="${link}"\n><bdi>${title}</bdi></a><br>\n<bdi>${detail}</bdi></li>`,
  paragraph: text => `<p>${text}</p>`,
};

const text: Writer = {
  escape: value => value,
  document: (heading, parts) => [heading, '='.repeat(heading.length), '', parts.join('\n\n')].join('\n'),
  section: (heading, items) => [heading, '-'.repeat(heading.length), items.join('\n\n')].join('\n'),
  item: (title, detail, link) => `${title}\n  ${detail}\n  ${link}`,
  paragraph: value => value,
};

export const DIGEST_FORMATS = { markdown, html, text } as const;
export type DigestFormat = keyof typeof DIGEST_FORMATS;

export function computeDigest(digest: Digest, format: DigestFormat): string {
  const { insights, base, period } = digest;
  const writer: Writer = DIGEST_FORMATS[format];
  const formatItem = (insight: Insight) => {
    const link = toLink(base, insight);
    return writer.item(
      writer.escape(truncateText(onOneLine(insight.title), LONGEST_TITLE)),
      wrapText(truncateText(onOneLine(insight.detail), LONGEST_DETAIL))
        .map(writer.escape)
        .join('\n  '),
      format === 'html' ? writer.escape(link) : link,
    );
  };
  const sections = SEVERITIES.map(severity => ({
    severity,
    own: insights.filter(insight => insight.severity === severity),
  }))
    .filter(({ own }) => own.length > 0)
    .map(({ severity, own }) => writer.section(HEADINGS[severity], own.map(formatItem)));
  const parts =
    sections.length === 0 ? [writer.paragraph(QUIET(period))] : [...sections, writer.paragraph(CAUTION)];
  return `${writer.document(formatHeading(digest), parts)}\n`;
}
