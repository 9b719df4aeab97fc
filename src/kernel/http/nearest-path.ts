import { editDistance, typosAllowed } from '../config/index.ts';
import type { Method } from './route.ts';

/**
 * Finds the path template that a mistyped path most likely means: fixed segments may be misspelt, missing or superfluous. The search
 * proceeds from cheap to expensive guesses and stops after a fixed number of steps, since any client may send any path.
 */

export interface Addressed {
  readonly method: Method;
  /** A template, as in `Route.path`. */
  readonly path: string;
}

class Node<T> {
  readonly id: number;
  readonly texts = new Map<string, Node<T>>();
  param: Node<T> | undefined;
  readonly items: T[] = [];
  /** Items that match any rest of the path. */
  readonly open: T[] = [];

  constructor(id: number) {
    this.id = id;
  }
}

interface Guess<T> {
  readonly node: Node<T>;
  /** Number of path segments matched so far. */
  readonly at: number;
  /** Number of fixed segments matched, exactly or nearly. */
  readonly found: number;
  /** Number of parameters that matched a segment. */
  readonly values: number;
  /** Since the last matched fixed segment: whether one was missing, and whether a parameter after it matched a segment. */
  readonly gap: 'none' | 'missing' | 'bridged';
}

const COST = { missing: 2, superfluous: 3, unfinished: 1, otherMethod: 1, anythingBelow: 1, mostlyValues: 2 } as const;
const MAX_COST = 4;
/** No template is nearly this long. */
const MAX_SEGMENTS = 32;
const MAX_SEGMENT_LENGTH = 80;
/** Limit of word comparisons and guesses: a few milliseconds at most. */
const MAX_STEPS = 8_000;

export interface Search<T> {
  readonly nearest: T | undefined;
  /** Steps of the search, at most `MAX_STEPS` plus the children of one node. */
  readonly steps: number;
}

export interface NearestPathsOptions {
  /** Compares templates and paths from their ends; the remaining beginning of a path is a scope of any length. */
  readonly fromEnd?: boolean;
}

export class NearestPaths<T extends Addressed> {
  readonly #root = new Node<T>(0);
  readonly #fromEnd: boolean;
  #nodes = 1;

  constructor({ fromEnd = false }: NearestPathsOptions = {}) {
    this.#fromEnd = fromEnd;
  }

  /** `path` overrides the item's own path, if only a part of it is compared. */
  add(item: T, path: string = item.path): void {
    const segments = path.split('/').filter(Boolean);
    if (this.#fromEnd) segments.reverse();
    let node = this.#root;
    for (const segment of segments) {
      if (segment.endsWith('*}')) {
        node.open.push(item);
        return;
      }
      node = segment.startsWith('{') ? this.#paramOf(node) : this.#textOf(node, comparable(segment));
    }
    node.items.push(item);
  }

  /** `segments` are decoded. */
  find(method: Method, segments: readonly string[]): Search<T> {
    const words = (this.#fromEnd ? segments.toReversed().slice(0, MAX_SEGMENTS) : segments).map((segment) =>
      comparable(segment),
    );
    if (words.length > MAX_SEGMENTS) return { nearest: undefined, steps: 0 };
    return new Run<T>(method, words, this.#fromEnd).find(this.#root);
  }

  #paramOf(node: Node<T>): Node<T> {
    node.param ??= new Node(this.#nodes++);
    return node.param;
  }

  #textOf(node: Node<T>, text: string): Node<T> {
    let child = node.texts.get(text);
    if (!child) {
      child = new Node(this.#nodes++);
      node.texts.set(text, child);
    }
    return child;
  }
}

/** Compares `Customers('x')` and `customers({key})` by name only. */
function comparable(segment: string): string {
  const open = segment.endsWith(')') ? segment.indexOf('(') : -1;
  return (open > 0 ? `${segment.slice(0, open)}()` : segment).slice(0, MAX_SEGMENT_LENGTH + 1).toLowerCase();
}

/** Accepts `v2` for `v2.0`. */
const isShortVersion = (word: string, text: string): boolean => /^v?\d+$/.test(word) && text === `${word}.0`;

class Run<T extends Addressed> {
  readonly #method: Method;
  readonly #words: readonly string[];
  readonly #fromEnd: boolean;
  /** Indexed by cost. */
  readonly #guesses: Guess<T>[][] = Array.from({ length: MAX_COST + 1 }, () => []);
  readonly #answers: { readonly item: T; readonly found: number }[][] = Array.from({ length: MAX_COST + 1 }, () => []);
  readonly #seen = new Set<number>();
  #steps = 0;

  constructor(method: Method, words: readonly string[], fromEnd: boolean) {
    this.#method = method === 'HEAD' ? 'GET' : method;
    this.#words = words;
    this.#fromEnd = fromEnd;
  }

  find(root: Node<T>): Search<T> {
    this.#guesses[0]?.push({ node: root, at: 0, found: 0, values: 0, gap: 'none' });
    for (let cost = 0; cost <= MAX_COST; cost++) {
      const guesses = this.#guesses[cost] as Guess<T>[];
      // The loop may append guesses of the same cost.
      for (let i = 0; i < guesses.length && this.#steps < MAX_STEPS; i++) this.#look(guesses[i] as Guess<T>, cost);
      const [first, ...others] = this.#answers[cost] as { item: T; found: number }[];
      if (first) {
        const best = others.reduce((a, b) => (b.found > a.found ? b : a), first);
        return { nearest: best.item, steps: this.#steps };
      }
    }
    return { nearest: undefined, steps: this.#steps };
  }

  #look(guess: Guess<T>, cost: number): void {
    const { node, at } = guess;
    const key = node.id * (MAX_SEGMENTS + 1) + at;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#steps++;
    const isAtEnd = at === this.#words.length;
    if (isAtEnd || this.#fromEnd) this.#answer(node.items, cost, guess);
    if (guess.gap === 'none') this.#answer(node.open, cost + COST.anythingBelow, guess);
    if (isAtEnd) {
      this.#unfinished(guess, cost);
      return;
    }
    const word = this.#words[at] as string;
    const exact = node.texts.get(word);
    if (exact) this.#guess(guess, { node: exact, at: at + 1, found: guess.found + 1, gap: 'none' }, cost);
    if (node.param) {
      const gap = guess.gap === 'none' ? 'none' : 'bridged';
      this.#guess(guess, { node: node.param, at: at + 1, values: guess.values + 1, gap }, cost);
    }
    this.#misspelt(guess, word, cost);
    if (cost + COST.missing <= MAX_COST)
      for (const child of node.texts.values()) this.#guess(guess, { node: child, gap: 'missing' }, cost + COST.missing);
    if (guess.found > 0) this.#guess(guess, { at: at + 1 }, cost + COST.superfluous);
  }

  #misspelt(guess: Guess<T>, word: string, cost: number): void {
    if (word.length > MAX_SEGMENT_LENGTH) return;
    const allowed = Math.min(typosAllowed(word), MAX_COST - cost);
    if (allowed <= 0) return;
    for (const [text, child] of guess.node.texts) {
      this.#steps++;
      const distance = isShortVersion(word, text) ? 1 : editDistance(word, text, allowed + 1);
      if (distance > 0 && distance <= allowed)
        this.#guess(guess, { node: child, at: guess.at + 1, found: guess.found + 1, gap: 'none' }, cost + distance);
    }
  }

  /** The path is shorter than every matching template. */
  #unfinished(guess: Guess<T>, cost: number): void {
    if (this.#fromEnd) return;
    const { texts, param } = guess.node;
    for (const child of texts.values()) this.#guess(guess, { node: child }, cost + COST.unfinished);
    if (param) this.#guess(guess, { node: param }, cost + COST.unfinished);
  }

  #guess(from: Guess<T>, step: Partial<Guess<T>>, cost: number): void {
    if (cost <= MAX_COST) this.#guesses[cost]?.push({ ...from, ...step });
  }

  /**
   * Skips templates of which the path only has parameter values, and penalises those of which it has little else. A missing segment
   * followed by a value would match any end of a path: `/_jar/anything` is not `/_jar/users/{id}`.
   */
  #answer(items: readonly T[], cost: number, { found, values, gap }: Guess<T>): void {
    if (found === 0 || gap === 'bridged') return;
    for (const item of items) {
      const method = item.method === this.#method ? 0 : COST.otherMethod;
      const price = cost + method + (values > found ? COST.mostlyValues : 0);
      this.#answers[price]?.push({ item, found });
    }
  }
}
