import type { JarClock } from '../../clock/types.ts';
import type { OpenTerminal } from './terminal.ts';

const KILLED = 137;

/** The open terminals of this node; they end together with their container. */
export class OpenTerminals {
  readonly #open = new Map<string, Set<OpenTerminal>>();
  readonly #clock: JarClock;

  constructor(clock: JarClock) {
    this.#clock = clock;
  }

  /** `end` is when the container will end, if that is known. */
  add(engineId: string, end: number | undefined, terminal: OpenTerminal): OpenTerminal {
    const set = this.#open.get(engineId) ?? new Set();
    this.#open.set(engineId, set);
    set.add(terminal);
    const forget = end !== undefined ? this.#clock.wakeAt(end, () => terminal.end(KILLED)) : undefined;
    void terminal.exitCode().then(() => {
      forget?.();
      set.delete(terminal);
      if (set.size === 0 && this.#open.get(engineId) === set) this.#open.delete(engineId);
    });
    return terminal;
  }

  end(engineId: string): void {
    for (const terminal of [...(this.#open.get(engineId) ?? [])]) terminal.end(KILLED);
  }

  endGroup(uid: string): void {
    for (const engineId of [...this.#open.keys()]) if (engineId.startsWith(`${uid}/`)) this.end(engineId);
  }

  endAll(): void {
    for (const engineId of [...this.#open.keys()]) this.end(engineId);
  }
}
