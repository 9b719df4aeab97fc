/** Tracks engine events for groups that this node is syncing. A group with a new event is synced again. */
export class News {
  readonly #busy = new Map<string, { heard: boolean }>();

  begin(uid: string): void {
    this.#busy.set(uid, { heard: false });
  }

  /** Returns false if this node is not syncing the group; the caller then has to wake its work. */
  hear(uid: string): boolean {
    const entry = this.#busy.get(uid);
    if (entry) entry.heard = true;
    return entry !== undefined;
  }

  /** Returns true if an event arrived since `begin`. */
  end(uid: string): boolean {
    const heard = this.#busy.get(uid)?.heard ?? false;
    this.#busy.delete(uid);
    return heard;
  }
}
