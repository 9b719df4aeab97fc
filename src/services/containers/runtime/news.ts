/** What this node hears of groups that it is busy with: they are looked at once more before they are let go. */
export class News {
  readonly #busy = new Map<string, { heard: boolean }>();

  begin(uid: string): void {
    this.#busy.set(uid, { heard: false });
  }

  /** False: nobody here is busy with it, so somebody has to be woken. */
  hear(uid: string): boolean {
    const entry = this.#busy.get(uid);
    if (entry) entry.heard = true;
    return entry !== undefined;
  }

  /** Whether anything was heard since the beginning. */
  end(uid: string): boolean {
    const heard = this.#busy.get(uid)?.heard ?? false;
    this.#busy.delete(uid);
    return heard;
  }
}
