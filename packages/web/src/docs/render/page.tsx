import { renderToString } from 'preact-render-to-string';
import type { Operations } from '../browser/operation.ts';
import { Contents } from './contents.tsx';
import { type DocumentedRoute, listOperations, listRoutes } from './description.ts';
import { Block, type Guide, readGuide, type Section } from './markdown.tsx';
import { Operation } from './operation.tsx';
import { Base, RequestPlace } from './request.tsx';
import type { Sources } from './sources.ts';

/** Renders the page at `/docs`, which can be read without its script. */
export function renderPage({ description, base, guides: texts, script, style }: Sources): string {
  const [start, ...guides] = texts.map(([slug, text]) => readGuide(slug, text)) as [Guide, ...Guide[]];
  const routes = listRoutes(description);
  const operations = listOperations(routes, description);
  const groups = new Map(
    description.tags.map(({ name }) => [name, routes.filter(({ tag }) => tag === name)]),
  );
  const html = renderToString(
    <Base.Provider value={base}>
      <html lang="en" data-language="curl">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>Sightline API</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={`docs/${style}`} />
          <script type="module" src={`docs/${script}`} />
        </head>
        <body>
          <a class="skip" href="#main">
            Skip to the text
          </a>
          <header class="top">
            <button type="button" popovertarget="contents" class="menu">
              Contents
            </button>
            <b class="brand">Sightline API</b>
            <span class="grow" />
            <span id="key" />
            <a href="app">Page</a>
          </header>
          <div class="frame">
            <Contents guides={guides} groups={groups} />
            <main id="main" tabIndex={-1}>
              <article id="overview" data-part>
                <h1>{start.title}</h1>
                <p class="base">
                  <code>{base}/v1</code>
                </p>
                {start.sections.map(section => (
                  <GuideSection key={section.title} section={section} operations={operations} />
                ))}
              </article>
              {guides.map(guide => (
                <GuideView key={guide.slug} guide={guide} operations={operations} />
              ))}
              <article id="promises" data-part aria-label="Rules for all requests">
                <h2>
                  <a href="#promises">Rules for all requests</a>
                </h2>
                <Block class="columns text" text={String(description.info.description)} />
              </article>
              {description.tags.map(({ name, description: text }) => (
                <article key={name} aria-label={name}>
                  <header class="group">
                    <h2>{name}</h2>
                    <Block text={text} />
                  </header>
                  {groups.get(name)!.map((route: DocumentedRoute) => (
                    <Operation
                      key={route.id}
                      route={route}
                      operations={operations}
                      schemas={description.components.schemas}
                    />
                  ))}
                </article>
              ))}
            </main>
          </div>
          <script
            type="application/json"
            id="operations"
            dangerouslySetInnerHTML={{ __html: JSON.stringify(operations).replaceAll('<', '\\u003c') }}
          />
        </body>
      </html>
    </Base.Provider>,
  );
  return `<!doctype html>\n${html}\n`;
}

function GuideView({
  guide: { slug, title, sections },
  operations,
}: {
  guide: Guide;
  operations: Operations;
}) {
  return (
    <article id={slug} data-part aria-label={title}>
      <h2>
        <a href={`#${slug}`}>{title}</a>
      </h2>
      {sections.map(section => (
        <GuideSection key={section.title} section={section} operations={operations} />
      ))}
    </article>
  );
}

function GuideSection({ section, operations }: { section: Section; operations: Operations }) {
  const { title, html, related } = section;
  return (
    <section class={related.length > 0 ? 'row' : undefined}>
      <div class="text">
        {title && <h3>{title}</h3>}
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </div>
      {related.length > 0 && (
        <div class="beside">
          {related.map((each, at) =>
            'place' in each ? (
              <RequestPlace key={at} place={each.place} operations={operations} />
            ) : (
              <pre key={at} class="listing">
                <code>{each.listing}</code>
              </pre>
            ),
          )}
        </div>
      )}
    </section>
  );
}
