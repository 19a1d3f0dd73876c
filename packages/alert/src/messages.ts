import type { Event } from './events.ts';

/** The message for a receiver. */
export interface Message {
  headers: Readonly<Record<string, string>>;
  body: string;
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Texts of a sign in which reports may speak. */
const UNTRUSTED = ['sign.title', 'sign.detail', 'sign.subject'];

const CAUTION = 'Names in it come from reports, which anyone can send.';

/** No format has markup in what reports say: each has a form for plain text, and it is that. */
export const FORMATS = {
  json: (event: Event, link: string): Message => ({
    headers: JSON_BODY,
    body: JSON.stringify({ ...event, link, untrusted: UNTRUSTED }),
  }),
  slack: (event: Event, link: string): Message => ({
    headers: JSON_BODY,
    body: JSON.stringify({
      // Beside blocks it is what a notification shows; it knows markup, so that no report's text stands in it.
      text: headOf(event),
      blocks: [
        section(`${headOf(event)}: ${event.sign.title}`),
        section(`${event.sign.detail}\n${CAUTION}`),
        section(link),
      ],
    }),
  }),
  teams: (event: Event, link: string): Message => ({
    headers: JSON_BODY,
    body: JSON.stringify({ type: 'message', attachments: [cardOf(event, link)] }),
  }),
  ntfy: (event: Event, link: string): Message => ({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: `Sightline: ${headOf(event)}`,
      priority: PRIORITIES[event.sign.severity],
      click: link,
    },
    body: `${event.sign.title}\n${event.sign.detail}\n${CAUTION}`,
  }),
} as const;
export type Format = keyof typeof FORMATS;

const PRIORITIES = { threat: '5', incident: '4', change: '3', notice: '2' } as const;

function headOf({ event, sign }: Event): string {
  return event === 'new' ? `New ${sign.severity}` : `Over, a ${sign.severity}`;
}

const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } });

/** A text run knows no Markdown, unlike a text block. */
const run = (text: string, weight: 'Default' | 'Bolder' = 'Default') => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, weight }],
});

function cardOf(event: Event, link: string) {
  return {
    contentType: 'application/vnd.microsoft.card.adaptive',
    content: {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [run(`${headOf(event)}: ${event.sign.title}`, 'Bolder'), run(event.sign.detail), run(CAUTION)],
      actions: [{ type: 'Action.OpenUrl', title: 'Look at it', url: link }],
    },
  };
}
