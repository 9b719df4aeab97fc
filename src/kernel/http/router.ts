import { parseTemplate, splitKeyed, splitPath, type TemplateSegment } from './path.ts';
import type { Method, Route } from './route.ts';

/**
 * Finds the route of a path. Written for the jar because common routers support neither a scope of any length before `/providers/…` nor
 * OData keys, and because a table of plain objects costs nothing at start. Text is compared without case, as in the real gateways;
 * parameters keep their case.
 */

interface Leaf<Owner> {
  readonly route: Route;
  readonly owner: Owner;
  /** In the order in which the walk collects their values. */
  readonly paramNames: readonly string[];
  readonly scope: string | undefined;
}

class Node<Owner> {
  readonly statics = new Map<string, Node<Owner>>();
  readonly keyed = new Map<string, Node<Owner>>();
  param: Node<Owner> | undefined;
  /** Everything below belongs to one API, so a dead end is not tried as a parameter value of another API. */
  isMount = false;
  rest: Map<Method, Leaf<Owner>> | undefined;
  leaves: Map<Method, Leaf<Owner>> | undefined;
}

export type Match<Owner> =
  | {
      readonly kind: 'route';
      readonly route: Route;
      readonly owner: Owner;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'methodNotAllowed'; readonly owner: Owner; readonly allow: readonly Method[] }
  | { readonly kind: 'notFound'; readonly owner: Owner | undefined }
  | { readonly kind: 'malformed'; readonly owner: Owner | undefined };

export class Router<Owner> {
  readonly #root = new Node<Owner>();
  /** Routes behind a scope, walked from the last segment backwards; the scope is the rest. */
  readonly #scoped = new Node<Owner>();
  readonly #mounts: { prefix: string; owner: Owner }[] = [];
  readonly #aliases: readonly string[];

  /** `aliases` are provider prefixes (`microsoft.`) that are equivalent to `vendor.` after `/providers/`. */
  constructor(aliases: readonly string[] = []) {
    this.#aliases = aliases.map((alias) => `${alias.toLowerCase()}.`);
  }

  mount(mounts: readonly string[], owner: Owner): void {
    for (const prefix of mounts) {
      this.#mounts.push({ prefix: prefix.toLowerCase(), owner });
      const { segments } = parseTemplate(prefix);
      // Only such mounts can be inside another API's: `/api/2.0` in `/api`.
      if (segments.length > 1 && segments.every(({ kind }) => kind === 'static'))
        segments.reduce(step<Owner>, this.#root).isMount = true;
    }
    this.#mounts.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  add(route: Route, owner: Owner): void {
    const { scope, segments } = parseTemplate(route.path);
    const walk = scope === undefined ? segments : segments.toReversed();
    let node = scope === undefined ? this.#root : this.#scoped;
    const paramNames: string[] = [];
    for (const segment of walk) {
      if (segment.kind === 'rest') {
        paramNames.push(segment.name);
        node.rest ??= new Map();
        claim(node.rest, route, { route, owner, paramNames, scope });
        return;
      }
      if (segment.kind !== 'static') paramNames.push(segment.name);
      node = step(node, segment);
    }
    node.leaves ??= new Map();
    claim(node.leaves, route, { route, owner, paramNames, scope });
  }

  match(method: Method, path: string): Match<Owner> {
    let segments = splitPath(path);
    try {
      if (path.includes('%')) segments = segments.map(decodeURIComponent);
    } catch {
      return { kind: 'malformed', owner: this.#ownerOf(path) };
    }
    const values: string[] = [];
    const leaves = this.#walk(this.#root, segments, 0, values) ?? this.#walkScoped(segments, values);
    if (!leaves) return { kind: 'notFound', owner: this.#ownerOf(path) };
    const leaf = leaves.get(method) ?? (method === 'HEAD' ? leaves.get('GET') : undefined);
    if (!leaf) {
      const [first] = leaves.values();
      return { kind: 'methodNotAllowed', owner: (first as Leaf<Owner>).owner, allow: [...leaves.keys()] };
    }
    const params: Record<string, string> = {};
    for (let i = 0; i < leaf.paramNames.length; i++) params[leaf.paramNames[i] as string] = values[i] as string;
    if (leaf.scope !== undefined) params[leaf.scope] = values.at(-1) as string;
    return { kind: 'route', route: leaf.route, owner: leaf.owner, params };
  }

  /** Precedence: text, OData key, parameter, rest; backtracks at dead ends. */
  #walk(node: Node<Owner>, segments: string[], at: number, values: string[]): Map<Method, Leaf<Owner>> | undefined {
    if (at === segments.length) return node.leaves;
    const segment = segments[at] as string;
    const lower = this.#canonical(segments, at);
    const text = node.statics.get(lower);
    if (text) {
      const found = this.#walk(text, segments, at + 1, values);
      if (found || text.isMount) return found;
    }
    const held = values.length;
    if (node.keyed.size > 0) {
      const [name, key] = splitKeyed(segment) ?? [];
      const keyed = name === undefined ? undefined : node.keyed.get(name.toLowerCase());
      if (keyed) {
        values.push(key as string);
        const found = this.#walk(keyed, segments, at + 1, values);
        if (found) return found;
        values.length = held;
      }
    }
    if (node.param) {
      values.push(segment);
      const found = this.#walk(node.param, segments, at + 1, values);
      if (found) return found;
      values.length = held;
    }
    if (node.rest) values.push(segments.slice(at).join('/'));
    return node.rest;
  }

  #walkScoped(segments: string[], values: string[]): Map<Method, Leaf<Owner>> | undefined {
    values.length = 0;
    return this.#walkBack(this.#scoped, segments, segments.length - 1, values);
  }

  /** As in `#walk`: text before a parameter, with backtracking, because a name may equal a fixed segment. */
  #walkBack(node: Node<Owner>, segments: string[], at: number, values: string[]): Map<Method, Leaf<Owner>> | undefined {
    if (node.leaves) {
      values.push(at < 0 ? '/' : `/${segments.slice(0, at + 1).join('/')}`);
      return node.leaves;
    }
    if (at < 0) return undefined;
    const text = node.statics.get(this.#canonical(segments, at));
    const found = text && this.#walkBack(text, segments, at - 1, values);
    if (found || !node.param) return found;
    const held = values.length;
    values.push(segments[at] as string);
    const byParam = this.#walkBack(node.param, segments, at - 1, values);
    if (!byParam) values.length = held;
    return byParam;
  }

  #canonical(segments: string[], at: number): string {
    const lower = (segments[at] as string).toLowerCase();
    // Only a name with a dot can be a provider namespace.
    if (!lower.includes('.') || at === 0 || segments[at - 1]?.toLowerCase() !== 'providers') return lower;
    const alias = this.#aliases.find((prefix) => lower.startsWith(prefix));
    return alias ? `vendor.${lower.slice(alias.length)}` : lower;
  }

  #ownerOf(path: string): Owner | undefined {
    const lower = path.toLowerCase();
    return this.#mounts.find(
      ({ prefix }) => lower.startsWith(prefix) && (prefix.endsWith('/') || /^$|[/(]/.test(lower.charAt(prefix.length))),
    )?.owner;
  }
}

function step<Owner>(node: Node<Owner>, segment: TemplateSegment): Node<Owner> {
  if (segment.kind === 'param') {
    node.param ??= new Node();
    return node.param;
  }
  const children = segment.kind === 'keyed' ? node.keyed : node.statics;
  const text = (segment as { text: string }).text;
  let child = children.get(text);
  if (!child) {
    child = new Node();
    children.set(text, child);
  }
  return child;
}

function claim<Owner>(leaves: Map<Method, Leaf<Owner>>, route: Route, leaf: Leaf<Owner>): void {
  const taken = leaves.get(route.method);
  if (taken)
    throw new Error(`${route.method} ${route.path} is declared twice (${taken.route.operation}, ${route.operation})`);
  leaves.set(route.method, leaf);
}
