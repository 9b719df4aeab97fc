import type { DeliveryEnd } from '../../../kernel/delivery/index.ts';

type Told = (end: DeliveryEnd) => void;

/** Requests on this node that wait for the end of a handshake, by its name. */
export class Questions {
  readonly #waiting = new Map<string, Told>();

  /** `told` is called when the handshake of this name has ended on this node, unless the returned function is called before. */
  wait(name: string, told: Told): () => void {
    this.#waiting.set(name, told);
    return () => this.#waiting.delete(name);
  }

  end(name: string, end: DeliveryEnd): void {
    this.#waiting.get(name)?.(end);
  }
}
