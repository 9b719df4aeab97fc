import type { DriverRequest } from './ask-driver.ts';

type Reply = Readonly<Record<string, unknown>>;

/** How a command in a container is, as far as this process knows. */
export type Watched = { readonly is: 'open' } | { readonly is: 'ended'; readonly reply: Reply } | FailedWatch;

interface FailedWatch {
  readonly is: 'failed';
  readonly error: unknown;
}

interface Entry {
  readonly commandId: string;
  readonly stopping: AbortController;
  seen: Watched;
  isInterrupting?: boolean;
}

export interface Watching {
  /** The key of the context, which runs one command at a time. */
  readonly key: string;
  readonly commandId: string;
  readonly requests: readonly DriverRequest[];
  ask(request: DriverRequest, halt: AbortSignal): Promise<Reply>;
  /** Called once there is something to be seen. */
  ended(): void;
}

/**
 * The connections that wait for the ends of commands in containers, so that no item of due work has to. Nothing depends on them: a driver keeps a
 * result, and gives it to whoever asks next, after a restart of the jar too.
 */
export class CommandWatch {
  readonly #entries = new Map<string, Entry>();

  /** How the command is; begins to wait for its end where nobody does. What is over is told once. */
  look({ key, commandId, requests, ask, ended }: Watching): Watched {
    const known = this.#entries.get(key);
    if (known?.commandId === commandId) {
      if (known.seen.is !== 'open') this.#entries.delete(key);
      return known.seen;
    }
    this.forget(key);
    const entry: Entry = { commandId, stopping: new AbortController(), seen: { is: 'open' } };
    this.#entries.set(key, entry);
    void this.#wait(entry, requests, ask).then(ended);
    return entry.seen;
  }

  /**
   * Has the command interrupted, unless somebody is at it. Nobody waits for the answer: an interpreter that is busy outside of Python's own code gives
   * none before it is done.
   */
  interrupt(
    { key, commandId, ask }: Pick<Watching, 'key' | 'commandId' | 'ask'>,
    failed: (error: unknown) => void,
  ): void {
    const entry = this.#entries.get(key);
    if (entry?.commandId !== commandId || entry.isInterrupting) return;
    entry.isInterrupting = true;
    void ask({ do: 'cancel', id: commandId }, entry.stopping.signal)
      .catch((error: unknown) => entry.stopping.signal.aborted || failed(error))
      .finally(() => {
        entry.isInterrupting = false;
      });
  }

  async #wait(entry: Entry, requests: readonly DriverRequest[], ask: Watching['ask']): Promise<void> {
    try {
      let reply: Reply = {};
      for (const request of requests) reply = await ask(request, entry.stopping.signal);
      entry.seen = { is: 'ended', reply };
    } catch (error) {
      entry.seen = { is: 'failed', error };
    }
  }

  forget(key: string): void {
    this.#entries.get(key)?.stopping.abort();
    this.#entries.delete(key);
  }

  forgetAll(): void {
    for (const key of [...this.#entries.keys()]) this.forget(key);
  }
}
