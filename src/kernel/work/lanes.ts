import type { WorkItem } from '../store/types.ts';
import type { BoundWork } from './kind.ts';

/** The running items of one kind. */
export interface Lane {
  readonly kind: string;
  readonly handler: BoundWork;
  readonly width: number;
  running: number;
  /** False after a claim has found nothing more, until something is scheduled or falls due. */
  mayHaveDue: boolean;
}

export class Lanes {
  readonly kinds: readonly string[];
  readonly #byKind = new Map<string, Lane>();

  constructor(handlers: readonly BoundWork[]) {
    for (const handler of handlers) {
      const { kind, concurrency: width } = handler;
      if (this.#byKind.has(kind)) throw new Error(`there are two handlers for work '${kind}'`);
      this.#byKind.set(kind, { kind, handler, width, running: 0, mayHaveDue: true });
    }
    this.kinds = [...this.#byKind.keys()];
  }

  of(kind: string): Lane | undefined {
    return this.#byKind.get(kind);
  }

  anythingMayBeDue(): void {
    for (const lane of this.#byKind.values()) lane.mayHaveDue = true;
  }

  /** Lanes with spare concurrency. */
  free(): Lane[] {
    return [...this.#byKind.values()].filter((lane) => lane.running < lane.width);
  }
}

/** If a claim returned fewer items of a kind than it had room for, no more items of that kind are due. */
export function noteClaimed(lanes: readonly Lane[], rooms: readonly number[], items: readonly WorkItem[]): void {
  for (const [i, lane] of lanes.entries()) {
    const claimed = items.reduce((sum, item) => sum + (item.kind === lane.kind ? 1 : 0), 0);
    lane.mayHaveDue = claimed === rooms[i];
  }
}
