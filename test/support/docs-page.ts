import {
  type DocsLocation,
  type Operations,
  type Question,
  questionAt,
  withCurrentDay,
} from '../../packages/web/src/docs/browser/operation.ts';

/**
 * Returns the requests on a page of `/docs`, as they would be shown on that day.
 * @param today `YYYY-MM-DD`
 */
export function listQuestions(html: string, today: string): Question[] {
  const operations = listOperations(html);
  return [...html.matchAll(/data-request="([^"]*)"/g)].map(([, place = '']) =>
    withCurrentDay(questionAt(JSON.parse(unescaped(place)) as DocsLocation, operations), today),
  );
}

/** The routes that the page's script contains. */
export function listOperations(html: string): Operations {
  const [, json = ''] = /<script type="application\/json" id="operations">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns the text of an HTML fragment. */
export function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]!);
}
