export interface Alarm {
  readonly time: number;
  /** Order of creation; decides between alarms of the same time. */
  readonly order: number;
  readonly callback: () => void | Promise<void>;
  state: 'set' | 'taken' | 'canceled';
}

/** Alarms by time, in a binary heap, earliest first. Cancelled alarms stay in it until they reach the top or outnumber the others. */
export class Alarms {
  #heap: Alarm[] = [];
  #orders = 0;
  #canceled = 0;

  get size(): number {
    return this.#heap.length - this.#canceled;
  }

  /** Number of alarms in memory, including cancelled ones. */
  get held(): number {
    return this.#heap.length;
  }

  /** Number of alarms ever set; shows whether one was set since. */
  get everSet(): number {
    return this.#orders;
  }

  set(time: number, callback: Alarm['callback']): Alarm {
    this.#orders += 1;
    const alarm: Alarm = { time, order: this.#orders, callback, state: 'set' };
    this.#push(alarm);
    return alarm;
  }

  cancel(alarm: Alarm): void {
    const before = alarm.state;
    alarm.state = 'canceled';
    if (before !== 'set') return;
    this.#canceled += 1;
    if (this.#canceled > 64 && this.#canceled > this.#heap.length / 2) this.#compact();
  }

  first(): Alarm | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (top.state === 'set') return top;
      this.#pop();
      this.#canceled -= 1;
    }
    return undefined;
  }

  /** Removes and returns all alarms that are due at `now`, in order. */
  takeDue(now: number): Alarm[] {
    const taken: Alarm[] = [];
    for (let top = this.first(); top !== undefined && top.time <= now; top = this.first()) {
      this.#pop();
      top.state = 'taken';
      taken.push(top);
    }
    return taken;
  }

  /** The earliest time among the alarms set after the first `mark` ones. */
  firstTimeAfter(mark: number): number | undefined {
    let earliest: number | undefined;
    for (const { state, order, time } of this.#heap) {
      if (state === 'set' && order > mark && (earliest === undefined || time < earliest)) earliest = time;
    }
    return earliest;
  }

  #compact(): void {
    const live = this.#heap.filter((alarm) => alarm.state === 'set');
    this.#heap = [];
    this.#canceled = 0;
    for (const alarm of live) this.#push(alarm);
  }

  #push(alarm: Alarm): void {
    const heap = this.#heap;
    let at = heap.push(alarm) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(alarm, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = alarm;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (!before(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function before(a: Alarm, b: Alarm): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
