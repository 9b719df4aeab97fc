import { editDistance, slipsAllowed } from '../config/index.ts';
import type { Method } from './route.ts';

/**
 * Finds the path template that a mistyped path most likely means: fixed segments may be misspelt, missing or superfluous. The search goes from the
 * cheapest guess to dearer ones and stops after a fixed number of steps, since anybody may send any path.
 */

export interface Addressed {
  readonly method: Method;
  /** A template as in `Route.path`. */
  readonly path: string;
}

class Node<T> {
  readonly id: number;
  readonly texts = new Map<string, Node<T>>();
  param: Node<T> | undefined;
  readonly items: T[] = [];
  /** Items that take whatever follows. */
  readonly open: T[] = [];

  constructor(id: number) {
    this.id = id;
  }
}

interface Guess<T> {
  readonly node: Node<T>;
  /** How many segments of the path are explained. */
  readonly at: number;
  /** Fixed segments of the template that the path has, spelt right or nearly so. */
  readonly found: number;
}

const COST = { missing: 2, superfluous: 3, unfinished: 1, otherMethod: 1, anythingBelow: 1 } as const;
const MAX_COST = 5;
/** No template is nearly as long. */
const MAX_SEGMENTS = 32;
const MAX_SEGMENT_LENGTH = 80;
/** Comparisons of two words, and guesses looked at: a few milliseconds at the most. */
const MAX_STEPS = 8_000;

export interface Search<T> {
  readonly nearest: T | undefined;
  /** What the search took, at most `MAX_STEPS` and the children of one node. */
  readonly steps: number;
}

export interface NearestPathsOptions {
  /** Templates and paths are compared from their ends, and what remains in front of a path may be anything: a scope. */
  readonly fromEnd?: boolean;
}

export class NearestPaths<T extends Addressed> {
  readonly #root = new Node<T>(0);
  readonly #fromEnd: boolean;
  #nodes = 1;

  constructor({ fromEnd = false }: NearestPathsOptions = {}) {
    this.#fromEnd = fromEnd;
  }

  /** `path` instead of the item's own, where only a part of that is compared. */
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

/** Of `Customers('x')` and `customers({key})` the name counts alone. */
function comparable(segment: string): string {
  const open = segment.endsWith(')') ? segment.indexOf('(') : -1;
  return (open > 0 ? `${segment.slice(0, open)}()` : segment).slice(0, MAX_SEGMENT_LENGTH + 1).toLowerCase();
}

class Run<T extends Addressed> {
  readonly #method: Method;
  readonly #words: readonly string[];
  readonly #fromEnd: boolean;
  /** By what they cost. */
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
    this.#guesses[0]?.push({ node: root, at: 0, found: 0 });
    for (let cost = 0; cost <= MAX_COST; cost++) {
      const guesses = this.#guesses[cost] as Guess<T>[];
      // Guesses of the same cost may be added meanwhile.
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
    const { node, at, found } = guess;
    const key = node.id * (MAX_SEGMENTS + 1) + at;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#steps++;
    const isAtEnd = at === this.#words.length;
    if (isAtEnd || this.#fromEnd) this.#answer(node.items, cost, found);
    if (!isAtEnd || found > 0) this.#answer(node.open, cost + COST.anythingBelow, found);
    if (isAtEnd) {
      this.#unfinished(node, at, found, cost);
      return;
    }
    const word = this.#words[at] as string;
    const exact = node.texts.get(word);
    if (exact) this.#guess(exact, at + 1, found + 1, cost);
    if (node.param) this.#guess(node.param, at + 1, found, cost);
    this.#misspelt(guess, word, cost);
    if (cost + COST.missing <= MAX_COST)
      for (const child of node.texts.values()) this.#guess(child, at, found, cost + COST.missing);
    if (found > 0) this.#guess(node, at + 1, found, cost + COST.superfluous);
  }

  #misspelt({ node, at, found }: Guess<T>, word: string, cost: number): void {
    if (word.length > MAX_SEGMENT_LENGTH) return;
    const allowed = Math.min(slipsAllowed(word), MAX_COST - cost);
    if (allowed <= 0) return;
    for (const [text, child] of node.texts) {
      this.#steps++;
      const distance = editDistance(word, text, allowed + 1);
      if (distance > 0 && distance <= allowed) this.#guess(child, at + 1, found + 1, cost + distance);
    }
  }

  /** The path ends before any template does. */
  #unfinished(node: Node<T>, at: number, found: number, cost: number): void {
    if (this.#fromEnd) return;
    for (const child of node.texts.values()) this.#guess(child, at, found, cost + COST.unfinished);
    if (node.param) this.#guess(node.param, at, found, cost + COST.unfinished);
  }

  #guess(node: Node<T>, at: number, found: number, cost: number): void {
    if (cost <= MAX_COST) this.#guesses[cost]?.push({ node, at, found });
  }

  /** A template of which the path has nothing but values is no suggestion. */
  #answer(items: readonly T[], cost: number, found: number): void {
    if (found === 0) return;
    for (const item of items) {
      const price = cost + (item.method === this.#method ? 0 : COST.otherMethod);
      this.#answers[price]?.push({ item, found });
    }
  }
}
