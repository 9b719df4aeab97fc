import type { Addressed } from './nearest-path.ts';
import { NearestPaths } from './nearest-path.ts';
import { splitPath } from './path.ts';
import type { Method, Route } from './route.ts';

/** The route that a request for an unknown path may have meant. */
export interface Suggestion<Owner> extends Addressed {
  readonly owner: Owner;
}

const SCOPE = '/{scope}';

/** Address of the documentation site. */
export const DOCS_SITE = '/_jar/docs';
/** Address of the page that lists all operations. */
export const API_PAGE = `${DOCS_SITE}/api`;

/** All routes of the jar, for finding the route most similar to an unknown path. */
export class PathGuide<Owner> {
  readonly #forward = new NearestPaths<Suggestion<Owner>>();
  /** Routes behind a scope of any length, compared from their ends. */
  readonly #scoped = new NearestPaths<Suggestion<Owner>>({ fromEnd: true });
  /** Routes that are not indexed yet: most jars never need the index. */
  readonly #waiting: (readonly [route: Route, owner: Owner])[] = [];
  readonly #aliases: readonly string[];

  constructor(aliases: readonly string[]) {
    this.#aliases = aliases;
  }

  add(route: Route, owner: Owner): void {
    this.#waiting.push([route, owner]);
  }

  /** `path` is as sent, without the query. Returns undefined if no route is similar, or if the path cannot be decoded. */
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
    // The route of this path itself rejected it, so suggesting it would not help.
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

/** Sentences that follow "nothing is served": the suggested route, and where all routes are listed. */
export function hintOf(suggestion: Addressed | undefined, origin: string): string {
  const meant = suggestion ? ` Did you mean '${suggestion.method} ${suggestion.path}'?` : '';
  return `${meant} ${origin}${API_PAGE} lists all operations.`;
}
