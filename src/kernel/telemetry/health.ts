/**
 * The state of a dependency: a database, a container engine. `reason` is public, so it contains no addresses, paths or names; these are in
 * the log.
 */
export type PartHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface HealthPart {
  readonly name: string;
  /** Whether calls can be answered without this dependency. */
  readonly optional: boolean;
  /** Returns the last known state. Every health request calls this, so it must not wait. */
  state(): PartHealth;
}

export interface HealthReport {
  /** Whether calls can be answered. */
  readonly serving: boolean;
  readonly troubles: readonly { readonly part: string; readonly reason: string }[];
}

/** The dependencies of a jar and their state. */
export class Health {
  readonly #parts = new Set<HealthPart>();

  /** Returns a function that removes the part. */
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
