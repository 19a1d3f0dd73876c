import type { DocumentedRoute } from './description.ts';
import type { Guide } from './markdown.tsx';

/** The table of contents: a column next to the text, or an overlay on narrow screens. */
export function Contents({
  guides,
  groups,
}: {
  guides: readonly Guide[];
  groups: ReadonlyMap<string, DocumentedRoute[]>;
}) {
  return (
    <nav id="contents" popover="auto" aria-label="Contents">
      <p class="find">
        <input type="search" aria-label="Find a guide or a route" placeholder="Find" spellcheck={false} />
      </p>
      <p class="nothing" role="status" />
      <ul>
        <li>
          <a href="#overview">Overview</a>
        </li>
        <li>
          <span class="nav-head">Guides</span>
          <ul>
            {guides.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`#${slug}`} data-guide>
                  {title}
                </a>
              </li>
            ))}
            <li>
              <a href="#promises" data-guide>
                Rules for all requests
              </a>
            </li>
          </ul>
        </li>
        <li>
          <span class="nav-head">Description</span>
          <ul>
            {['openapi.json', 'openapi.yaml', 'llms.txt'].map(file => (
              <li key={file}>
                <a href={file}>{file}</a>
              </li>
            ))}
          </ul>
        </li>
        {[...groups].map(([tag, routes]) => (
          <li key={tag}>
            <span class="nav-head">{tag}</span>
            <ul>
              {routes.map(({ id, summary, path }) => (
                <li key={id}>
                  <a href={`#${id}`} data-words={`${path} ${id}`}>
                    {summary}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
