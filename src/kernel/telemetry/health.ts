/**
 * How something is that the jar works with: a database, a container engine. `reason` is for people, anybody among them: it has no
 * addresses, paths or names, which are in the log.
 */
export type PartHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface HealthPart {
  readonly name: string;
  /** Whether calls can be answered without it. */
  readonly optional: boolean;
  /** As far as it is known at the moment: this is asked by every look at the health, so it waits for nothing. */
  state(): PartHealth;
}

export interface HealthReport {
  /** Whether calls can be answered. */
  readonly serving: boolean;
  readonly troubles: readonly { readonly part: string; readonly reason: string }[];
}

/** What a jar depends on, and how that is. */
export class Health {
  readonly #parts = new Set<HealthPart>();

  /** Gives the function that takes it out again. */
  add(part: HealthPart): () => void {
    this.#parts.add(part);
    return () => void this.#parts.delete(part);
  }

  report(): HealthReport {
    const troubles: { part: string; reason: string }[] = [];
    let serving = true;
    for (const { name, optional, state } of this.#parts) {
      const health = state();
      if (health.ok) continue;
      troubles.push({ part: name, reason: health.reason });
      serving &&= optional;
    }
    return { serving, troubles };
  }
}
