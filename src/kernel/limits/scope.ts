import { createHash } from 'node:crypto';

/** Scope values come from requests: a value of a megabyte must not be stored for each of a million scopes. */
const LONGEST_VALUE = 256;
const KEPT_OF_LONG_VALUE = 64;

/** A scope value as stored and shown: long values are replaced by their beginning and a digest. */
export function scopeValue(value: string): string {
  if (value.length <= LONGEST_VALUE) return value;
  return `${value.slice(0, KEPT_OF_LONG_VALUE)}…sha256:${createHash('sha256').update(value).digest('hex')}`;
}

/** Encodes a scope as text that is safe in a key and can be decoded. */
export const scopeKey = (scope: readonly string[]): string =>
  scope.length === 1 ? valueKey(scope[0] as string) : scope.map(valueKey).join('/');

/** Most values are ids; testing that they need no encoding takes a tenth of the time of encoding. */
const valueKey = (value: string): string =>
  PLAIN.test(value) ? value : encodeURIComponent(scopeValue(value).toWellFormed());

const PLAIN = /^[\w.-]{1,64}$/;

export const readScopeKey = (key: string, parts: number): string[] =>
  parts === 0 ? [] : key.split('/').map(decodeURIComponent);

/** Scope values by the names of their parts, for display. */
export function namedScope(names: readonly string[], values: readonly string[]): Record<string, string> {
  // The names are from a declared row, so none of them is dangerous, such as `__proto__`.
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

type Branch<T> = Map<string, Branch<T> | T>;

/** A map keyed by scope, implemented as nested maps, because building and hashing one text of all values would cost more than counting. */
export class ScopeTree<T extends object> {
  readonly #depth: number;
  readonly #root: Branch<T> = new Map();
  #size = 0;

  /** `depth` is the number of values in a scope. */
  constructor(depth: number) {
    // A scope without values still needs one level.
    this.#depth = Math.max(1, depth);
  }

  get size(): number {
    return this.#size;
  }

  get(scope: readonly string[]): T | undefined {
    let node: Branch<T> | T | undefined = this.#root;
    for (let level = 0; level < this.#depth; level++) {
      node = (node as Branch<T>).get(scope[level] ?? '');
      if (node === undefined) return undefined;
    }
    return node as T;
  }

  set(scope: readonly string[], thing: T): void {
    let branch = this.#root;
    for (let level = 0; level < this.#depth - 1; level++) {
      const value = scope[level] ?? '';
      let next = branch.get(value) as Branch<T> | undefined;
      if (next === undefined) {
        next = new Map();
        branch.set(value, next);
      }
      branch = next;
    }
    const last = scope[this.#depth - 1] ?? '';
    if (!branch.has(last)) this.#size++;
    branch.set(last, thing);
  }

  delete(scope: readonly string[]): void {
    const path: Branch<T>[] = [];
    let node: Branch<T> | T | undefined = this.#root;
    for (let level = 0; level < this.#depth; level++) {
      path.push(node as Branch<T>);
      node = (node as Branch<T>).get(scope[level] ?? '');
      if (node === undefined) return;
    }
    this.#size--;
    for (let level = this.#depth - 1; level >= 0; level--) {
      const branch = path[level] as Branch<T>;
      branch.delete(scope[level] ?? '');
      if (branch.size > 0) return;
    }
  }

  *entries(): Generator<readonly [scope: string[], thing: T]> {
    yield* this.#walk(this.#root, []);
  }

  *#walk(branch: Branch<T>, above: readonly string[]): Generator<readonly [string[], T]> {
    for (const [value, node] of branch) {
      const scope = [...above, value];
      if (scope.length === this.#depth) yield [scope, node as T];
      else yield* this.#walk(node as Branch<T>, scope);
    }
  }
}
