import type { Addressed } from './nearest-path.ts';
import { NearestPaths } from './nearest-path.ts';
import { splitPath } from './path.ts';
import type { Method, Route } from './route.ts';

/** What somebody who asked for a path that is not there may have meant. */
export interface Suggestion<Owner> extends Addressed {
  readonly owner: Owner;
}

const SCOPE = '/{scope}';

/** Address of the documentation site. */
export const DOCS_SITE = '/_jar/docs';
/** Address of the page that lists all operations. */
export const API_PAGE = `${DOCS_SITE}/api`;

/** Every route of the jar, to find the nearest one to a path that none has. */
export class PathGuide<Owner> {
  readonly #forward = new NearestPaths<Suggestion<Owner>>();
  /** Routes behind a scope of any length, compared from their ends. */
  readonly #scoped = new NearestPaths<Suggestion<Owner>>({ fromEnd: true });
  /** Routes that nobody has looked for yet: most jars are never asked. */
  readonly #waiting: (readonly [route: Route, owner: Owner])[] = [];
  readonly #aliases: readonly string[];

  constructor(aliases: readonly string[]) {
    this.#aliases = aliases;
  }

  add(route: Route, owner: Owner): void {
    this.#waiting.push([route, owner]);
  }

  /** `path` is as sent, without the query. Undefined where nothing is near, or the path cannot be decoded. */
  nearest(method: Method, path: string): Suggestion<Owner> | undefined {
    for (const [route, owner] of this.#waiting.splice(0)) this.#learn(route, owner);
    const segments = decoded(path);
    if (!segments) return undefined;
    let alias: string | undefined;
    const words = segments.map((segment) => {
      const spoken = this.#aliases.find((each) => segment.toLowerCase().startsWith(`${each.toLowerCase()}.`));
      if (spoken === undefined) return segment;
      alias = spoken;
      return `vendor${segment.slice(spoken.length)}`;
    });
    const found = this.#forward.find(method, words).nearest ?? this.#scoped.find(method, words).nearest;
    // Its own route has refused the path: to suggest it would send the client round in a circle.
    if (!found || isAt(found, words)) return undefined;
    if (alias === undefined) return found;
    return { ...found, path: found.path.replaceAll('/Vendor.', `/${alias}.`) };
  }

  #learn(route: Route, owner: Owner): void {
    for (const { method, path } of route.covers?.() ?? [route]) {
      const item = { method, path, owner };
      if (path.startsWith(`${SCOPE}/`)) this.#scoped.add(item, path.slice(SCOPE.length));
      else this.#forward.add(item);
    }
  }
}

function isAt({ path }: Addressed, words: readonly string[]): boolean {
  const segments = path.split('/').filter(Boolean);
  const isSame = (segment: string, at: number) => segment.startsWith('{') || segment === words[at];
  return segments.length === words.length && segments.every(isSame);
}

function decoded(path: string): readonly string[] | undefined {
  try {
    return splitPath(path).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The sentences behind "nothing is served here": what may be meant, and where the list is. */
export function hintOf(suggestion: Addressed | undefined, origin: string): string {
  const meant = suggestion ? ` Did you mean '${suggestion.method} ${suggestion.path}'?` : '';
  return `${meant} ${origin}${API_PAGE} lists all operations.`;
}
