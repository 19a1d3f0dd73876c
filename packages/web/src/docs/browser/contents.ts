/** Highlights the reader's position in the table of contents, and filters the table by a search text. */
export function followReader(): void {
  const contents = document.getElementById('contents')!;
  const links = [...contents.querySelectorAll('a')];
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && contents.matches(':popover-open')) contents.hidePopover();
  });
  narrow(contents, links);
  const byId = new Map(links.map(link => [link.hash.slice(1), link]));
  const seen = new Set<Element>();
  const parts = [...document.querySelectorAll('[data-part]')];
  const observer = new IntersectionObserver(
    changes => {
      for (const { isIntersecting, target } of changes) seen[isIntersecting ? 'add' : 'delete'](target);
      const first = parts.find(part => seen.has(part));
      if (first) mark(links, byId.get(first.id));
    },
    // The current section is the one in the upper half of the window.
    { rootMargin: '-80px 0px -50% 0px' },
  );
  for (const part of parts) observer.observe(part);
}

function mark(links: readonly HTMLAnchorElement[], current: HTMLAnchorElement | undefined): void {
  for (const link of links) link.removeAttribute('aria-current');
  current?.setAttribute('aria-current', 'location');
  current?.scrollIntoView({ block: 'nearest' });
}

function narrow(contents: HTMLElement, links: readonly HTMLAnchorElement[]): void {
  const input = contents.querySelector('input')!;
  const groups = [...contents.querySelectorAll('li:has(ul)')] as HTMLElement[];
  const nothing = contents.querySelector('.nothing')!;
  const texts = new Map<HTMLAnchorElement, string>();
  const toText = (link: HTMLAnchorElement) => {
    const text = texts.get(link) ?? getSearchText(link);
    texts.set(link, text);
    return text;
  };
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const link of links) link.parentElement!.hidden = !words.every(word => toText(link).includes(word));
    for (const group of groups) group.hidden = !group.querySelector('ul > li:not([hidden])');
    const isFound = links.some(link => !link.parentElement!.hidden);
    nothing.textContent = isFound ? '' : 'Nothing found. Try fewer or different words.';
  });
}

/** Returns the text by which a link is found: the name and path of a route, or the text of the guide. */
function getSearchText(link: HTMLAnchorElement): string {
  const guide = link.dataset.guide === undefined ? undefined : document.querySelector(link.hash);
  const said = [...(guide?.querySelectorAll('.text, .listing') ?? [])].map(part => part.textContent);
  return [link.textContent, link.dataset.words, ...said].join(' ').toLowerCase();
}
