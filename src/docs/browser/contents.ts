/** Follows the reader in the list of contents, and narrows that list down to what is looked for. */
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
    // What is read stands in the upper half.
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
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const link of links) {
      const text = `${link.textContent} ${link.dataset.words ?? ''}`.toLowerCase();
      link.parentElement!.hidden = !words.every(word => text.includes(word));
    }
    for (const group of groups) group.hidden = !group.querySelector('ul > li:not([hidden])');
  });
}
