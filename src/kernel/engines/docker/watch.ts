import { every, later } from '../../time/timers.ts';
import type { EngineContext } from '../context.ts';
import { type EngineClient, filters } from './client.ts';
import type { Containers, ListedContainer } from './containers.ts';
import { jsonLines } from './json-lines.ts';
import { LABEL, type Names, uidInName } from './names.ts';

interface EngineEvent {
  readonly Action?: string;
  readonly Actor?: { readonly ID?: string; readonly Attributes?: Readonly<Record<string, string>> };
}

/** Events that a user or the engine causes. Docker and Podman name the end of a container differently. */
const WATCHED_ACTIONS = new Set(['die', 'died', 'oom', 'destroy', 'remove']);
const RECONNECT_MS = 1000;
/** Finds changes without an event. */
const LIST_MS = 30_000;

/** Watches the engine's events for the groups of one owner. */
export class Watcher {
  readonly #client: EngineClient;
  readonly #names: Names;
  readonly #containers: Containers;
  readonly #log: EngineContext['jar']['log'];
  readonly #listener: (uid: string) => void;
  readonly #closing = new AbortController();
  /** By uid of the group: the containers and states that were last seen. */
  #seen = new Map<string, string>();
  #stopListing: (() => void) | undefined;

  constructor(
    parts: { client: EngineClient; names: Names; containers: Containers; log: EngineContext['jar']['log'] },
    listener: (uid: string) => void,
  ) {
    this.#client = parts.client;
    this.#names = parts.names;
    this.#containers = parts.containers;
    this.#log = parts.log;
    this.#listener = listener;
  }

  /** Resolves once it receives events, or after the first failed attempt. */
  async open(): Promise<void> {
    await new Promise<void>((resolve) => void this.#listen(resolve));
    await this.#compare(() => {});
    this.#stopListing = every(LIST_MS, () => void this.#compare(this.#listener));
  }

  close(): void {
    this.#closing.abort();
    this.#stopListing?.();
  }

  async #listen(opened: () => void): Promise<void> {
    let isFirst = true;
    while (!this.#closing.signal.aborted) {
      try {
        const stream = await this.#client.stream('GET', '/events', {
          query: { filters: filters({ type: ['container'] }) },
          answerMs: 0,
          signal: this.#closing.signal,
        });
        opened();
        // Changes may have been missed while disconnected.
        if (!isFirst) await this.#tellAll();
        isFirst = false;
        for await (const event of jsonLines<EngineEvent>(stream)) this.#hear(event);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.#log.debug({ err: error }, 'the event stream of the container engine has ended; reconnecting');
      }
      isFirst = false;
      opened();
      await this.#pause();
    }
  }

  #hear({ Action = '', Actor }: EngineEvent): void {
    if (!WATCHED_ACTIONS.has(Action)) return;
    const { ID = '', Attributes = {} } = Actor ?? {};
    if (this.#containers.removing.has(ID)) {
      if (Action === 'destroy' || Action === 'remove') this.#containers.removing.delete(ID);
      return;
    }
    const uid = Attributes[LABEL.group] ?? uidInName(Attributes.name ?? '');
    if (uid !== undefined && this.#names.mayOwn(Attributes)) this.#listener(uid);
  }

  async #tellAll(): Promise<void> {
    const listed = await this.#containers.list(this.#names.filter());
    for (const uid of new Set([...this.#seen.keys(), ...byGroup(listed).keys()])) this.#listener(uid);
  }

  /** Reports groups that have changed since the last comparison. */
  async #compare(tell: (uid: string) => void): Promise<void> {
    try {
      const now = byGroup(await this.#containers.list(this.#names.filter()));
      for (const uid of new Set([...now.keys(), ...this.#seen.keys()])) {
        if (now.get(uid) !== this.#seen.get(uid)) tell(uid);
      }
      this.#seen = now;
    } catch (error) {
      this.#log.debug({ err: error }, 'the containers of the jar cannot be listed');
    }
  }

  #pause(): Promise<void> {
    const { signal } = this.#closing;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = later(RECONNECT_MS, end);
      signal.addEventListener('abort', end);
    });
  }
}

function byGroup(listed: readonly ListedContainer[]): Map<string, string> {
  const groups = new Map<string, string>();
  for (const { Id, Labels, State } of [...listed].sort((a, b) => (a.Id < b.Id ? -1 : 1))) {
    const uid = Labels?.[LABEL.group];
    if (uid !== undefined) groups.set(uid, `${groups.get(uid) ?? ''}${Id}=${State};`);
  }
  return groups;
}
