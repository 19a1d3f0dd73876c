import {
  type Operations,
  ofToday,
  type Place,
  type Question,
  questionAt,
} from '@sightline/pages/docs/operation';

/** The requests that a page of `/docs` shows, as a visitor of that day has them. @param today `YYYY-MM-DD` */
export function questionsOf(html: string, today: string): Question[] {
  const operations = operationsOf(html);
  return [...html.matchAll(/data-request="([^"]*)"/g)].map(([, place = '']) =>
    ofToday(questionAt(JSON.parse(unescaped(place)) as Place, operations), today),
  );
}

/** The routes, as the page's script has them. */
export function operationsOf(html: string): Operations {
  const [, json = ''] = /<script type="application\/json" id="operations">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Reads the text of HTML. */
export function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => SIGNS[name]!);
}
