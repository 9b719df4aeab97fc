import type { Exchange, Listener } from './listener.ts';

/**
 * The listeners that are connected to this process, and what they have yet to answer. Nothing of it is stored: a listener that lost its
 * connection connects again, and whoever sends tries again.
 */
export class Relay {
  readonly #listeners = new Map<string, Listener[]>();
  /** Requests whose listener may come for them, or answer them, over a connection of its own; by their ids. */
  readonly #exchanges = new Map<string, Exchange>();

  add(listener: Listener): void {
    const all = this.#listeners.get(listener.path) ?? [];
    all.push(listener);
    this.#listeners.set(listener.path, all);
  }

  remove(listener: Listener): void {
    const left = this.#listeners.get(listener.path)?.filter((each) => each !== listener) ?? [];
    if (left.length > 0) this.#listeners.set(listener.path, left);
    else this.#listeners.delete(listener.path);
  }

  count(path: string): number {
    return this.#listeners.get(path)?.length ?? 0;
  }

  /** They take turns. */
  next(path: string): Listener | undefined {
    const all = this.#listeners.get(path);
    const first = all?.shift();
    if (first) all?.push(first);
    return first;
  }

  list(): Listener[] {
    return [...this.#listeners.values()].flat();
  }

  begin(exchange: Exchange): void {
    this.#exchanges.set(exchange.id, exchange);
  }

  end(exchange: Exchange): void {
    this.#exchanges.delete(exchange.id);
  }

  exchange(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }
}

/** Names of namespaces are unique in the real service, so that the two names are all there is to know. */
export const relayPath = (namespace: string, connection: string): string => `${namespace}/${connection}`.toLowerCase();
