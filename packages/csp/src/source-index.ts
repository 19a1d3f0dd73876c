import { decoded, getPort, matchesPlace, matchSource, type ParsedAddress } from './match.ts';
import type { HostSource, Source } from './source.ts';

/** The positions of equivalent sources in the list. */
export type Alike = number[];

/** Paths of sources, as a tree of their segments. */
class Paths {
  readonly all: Alike = [];
  readonly #root = new Piece();

  add({ path }: HostSource, at: number): void {
    this.all.push(at);
    if (path === '' || path === '/') return void this.#root.any.push(at);
    const pieces = path.split('/');
    const isFolder = pieces.at(-1) === '';
    if (isFolder) pieces.pop();
    let piece = this.#root;
    for (const text of pieces) piece = piece.enter(decoded(text));
    (isFolder ? piece.below : piece.itself).push(at);
  }

  /** Sources that allow a path, by `matchesPath`. */
  *matching(pieces: readonly string[]): Generator<Alike> {
    yield this.#root.any;
    let piece: Piece | undefined = this.#root;
    for (const [index, text] of pieces.entries()) {
      piece = piece.children.get(text);
      if (!piece) return;
      if (index < pieces.length - 1) yield piece.below;
    }
    yield piece.itself;
  }
}

class Piece {
  readonly children = new Map<string, Piece>();
  readonly any: Alike = [];
  readonly below: Alike = [];
  readonly itself: Alike = [];

  enter(text: string): Piece {
    const existing = this.children.get(text) ?? new Piece();
    this.children.set(text, existing);
    return existing;
  }
}

/** Hosts with the same scheme and port. */
interface Place {
  source: HostSource;
  paths: Paths;
}

const LOWER_SCHEMES: Readonly<Record<string, readonly string[]>> = {
  https: ['http'],
  wss: ['ws'],
};

/** Finds the sources that match an address, in time that does not grow with their number. */
export class SourceIndex {
  /** Keywords, schemes and `*`, of which there are few. Those with the same text are equivalent. */
  readonly #few = new Map<string, { source: Source; alike: Alike }>();
  readonly #hosts = new Map<string, Map<string, Place>>();
  #hasWildcards = false;

  constructor(sources: readonly Source[]) {
    for (const [at, source] of sources.entries())
      if (source.kind === 'host' && source.text !== '*') this.#addHost(source, at);
      else if (source.kind === 'host' || source.kind === 'keyword') this.#addOther(source.text, source, at);
      else if (source.kind === 'scheme') this.#addOther(`${source.scheme}:`, source, at);
  }

  #addOther(name: string, source: Source, at: number): void {
    const key = name.toLowerCase();
    const existing = this.#few.get(key) ?? { source, alike: [] };
    existing.alike.push(at);
    this.#few.set(key, existing);
  }

  #addHost(source: HostSource, at: number): void {
    if (source.host.startsWith('*.')) this.#hasWildcards = true;
    const places = this.#hosts.get(source.host) ?? new Map<string, Place>();
    this.#hosts.set(source.host, places);
    const key = toKey(source.scheme, source.port);
    const place = places.get(key) ?? { source, paths: new Paths() };
    places.set(key, place);
    place.paths.add(source, at);
  }

  /**
   * Finds the sources that match, and those that possibly match because the address has no path and theirs counts.
   * @param self the page
   */
  find(address: ParsedAddress, self: ParsedAddress): { matching: Alike[]; perhaps: Alike[] } {
    const matching: Alike[] = [];
    const perhaps: Alike[] = [];
    for (const name of ["'self'", '*', `${address.scheme}:`, ...toLower(address.scheme).map(s => `${s}:`)]) {
      const other = this.#few.get(name);
      if (other && matchSource(other.source, address, self) === 'matches') matching.push(other.alike);
    }
    const pieces = splitPieces(address);
    for (const { source, paths } of this.#listPlaces(address)) {
      if (!matchesPlace(source, address, self)) continue;
      for (const alike of paths.matching(pieces)) if (alike.length > 0) matching.push(alike);
      if (address.path === '/' || address.path === '') perhaps.push(paths.all);
    }
    return { matching, perhaps };
  }

  *#listPlaces(address: ParsedAddress): Generator<Place> {
    const { scheme, host } = address;
    if (host === '') return;
    const port = getPort(address);
    const schemes = [undefined, scheme, ...toLower(scheme)];
    const ports = [undefined, '*', port, ...(port === '443' ? ['80'] : [])];
    for (const name of this.#listNames(host)) {
      const places = this.#hosts.get(name);
      if (!places) continue;
      for (const wanted of schemes)
        for (const at of ports) {
          const place = places.get(toKey(wanted, at));
          if (place) yield place;
        }
    }
  }

  *#listNames(host: string): Generator<string> {
    yield host;
    yield '*';
    if (!this.#hasWildcards) return;
    for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) yield `*${host.slice(at)}`;
  }
}

const toKey = (scheme: string | undefined, port: string | undefined) => `${scheme ?? ''} ${port ?? ''}`;
const toLower = (scheme: string) => LOWER_SCHEMES[scheme] ?? [];

/** Cached because an address is looked up for each directive, and reported on many pages. */
const seen = new WeakMap<ParsedAddress, readonly string[]>();

function splitPieces(address: ParsedAddress): readonly string[] {
  const before = seen.get(address);
  if (before) return before;
  const pieces = address.path.split('/').map(decoded);
  seen.set(address, pieces);
  return pieces;
}
