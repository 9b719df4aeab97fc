import type { DriverRequest } from './ask-driver.ts';

type Reply = Readonly<Record<string, unknown>>;

/** State of a command in a container, as far as this process knows. */
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
  /** Called when the command has ended or failed. */
  ended(): void;
}

/**
 * Connections that wait for the end of commands in containers, so that no work item has to wait. Nothing depends on them: a driver keeps a
 * result and returns it to the next request, even after a restart of the jar.
 */
export class CommandWatch {
  readonly #entries = new Map<string, Entry>();

  /** Returns the state of the command, and starts to wait for its end if nothing waits yet. An end is reported once. */
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
   * Interrupts the command, unless an interrupt is in progress. The reply is not awaited: an interpreter that is busy outside of Python
   * code replies only when it is done.
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
