import type { Exchange, Listener } from './listener.ts';

/**
 * Listeners connected to this process, and the requests that they have not answered yet. Nothing is stored: a listener that loses its
 * connection reconnects, and the sender retries.
 */
export class Relay {
  readonly #listeners = new Map<string, Listener[]>();
  /** Requests that their listener may fetch or answer over a connection of its own, by id. */
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

  /** Listeners take turns. */
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

/** Namespace names are globally unique in the real service, so that the two names identify a hybrid connection. */
export const relayPath = (namespace: string, connection: string): string => `${namespace}/${connection}`.toLowerCase();
