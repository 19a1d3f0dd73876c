import { truncateText } from '@sightline/reports';
import { cutBytes, onOneLine } from './bounds.ts';
import type { Event } from './events.ts';

/** A message in a receiver's format. */
export interface Message {
  headers: Readonly<Record<string, string>>;
  body: string;
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Fields of an insight that can contain text from reports. */
const UNTRUSTED = ['insight.title', 'insight.detail', 'insight.subject'];

const CAUTION = 'Names in it come from reports, which anyone can send.';

/**
 * Maximum lengths of texts by receiver. Slack accepts 3,000 characters per section and Teams 28 KB per message. ntfy
 * accepts 4,096 bytes, and converts longer messages to a file. Other webhooks document no limits.
 */
const LONGEST = { slack: 3000, teams: 2000, ntfyTitle: 300, ntfy: 3000, json: 2000 } as const;

/**
 * Message formats by receiver. Text from reports is only placed in plain text elements, so it is never interpreted as
 * markup.
 */
export const FORMATS = {
  json: (event: Event, link: string): Message => ({
    headers: JSON_BODY,
    body: JSON.stringify({ ...event, insight: bounded(event.insight), link, untrusted: UNTRUSTED }),
  }),
  slack: (event: Event, link: string): Message => ({
    headers: JSON_BODY,
    body: JSON.stringify({
      // The text of the notification. Slack interprets markup in it, so it contains no text from reports.
      text: formatHead(event),
      blocks: [
        section(truncateText(formatTitle(event), LONGEST.slack)),
        section(
          `${truncateText(onOneLine(event.insight.detail), LONGEST.slack - CAUTION.length - 1)}\n${CAUTION}`,
        ),
        section(link),
      ],
    }),
  }),
  teams: (event: Event, link: string): Message => ({
    headers: JSON_BODY,
    body: JSON.stringify({ type: 'message', attachments: [toCard(event, link)] }),
  }),
  ntfy: (event: Event, link: string): Message => ({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: `Sightline: ${formatHead(event)}`,
      priority: PRIORITIES[event.insight.severity],
      click: link,
    },
    body: [
      truncateText(onOneLine(event.insight.title), LONGEST.ntfyTitle),
      cutBytes(onOneLine(event.insight.detail), LONGEST.ntfy),
      CAUTION,
    ].join('\n'),
  }),
} as const;
export type MessageFormat = keyof typeof FORMATS;

function bounded({ title, detail, subject, link, query, ...rest }: Event['insight']): Event['insight'] {
  const short = (text: string) => truncateText(text, LONGEST.json);
  const isShort = (address: string | null) => address !== null && address.length <= LONGEST.json;
  return {
    ...rest,
    title: short(title),
    detail: short(detail),
    subject: short(subject),
    link: isShort(link) ? link : '/app',
    query: isShort(query) ? query : null,
  };
}

const formatTitle = (event: Event) => `${formatHead(event)}: ${onOneLine(event.insight.title)}`;

const PRIORITIES = { threat: '5', incident: '4', change: '3', notice: '2' } as const;

function formatHead({ event, insight }: Event): string {
  const { severity } = insight;
  if (event === 'new') return `New ${severity}`;
  return `Over, ${severity === 'incident' ? 'an' : 'a'} ${severity}`;
}

const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } });

/** Creates a text run, in which Teams does not interpret Markdown, unlike in a text block. */
const run = (text: string, weight: 'Default' | 'Bolder' = 'Default') => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, weight }],
});

function toCard(event: Event, link: string) {
  return {
    contentType: 'application/vnd.microsoft.card.adaptive',
    content: {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        run(truncateText(formatTitle(event), LONGEST.teams), 'Bolder'),
        run(truncateText(onOneLine(event.insight.detail), LONGEST.teams)),
        run(CAUTION),
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Look at it', url: link }],
    },
  };
}
