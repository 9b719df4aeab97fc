import type { AppliedFault } from '../faults/index.ts';
import { Calls } from '../outbound/calls.ts';
import type { Stored, WorkItem } from '../store/types.ts';
import { after, pause, processTime } from '../time/timers.ts';
import { type RoundOutcome, trySettle, untilSettled } from '../work/settle.ts';
import { Backlog } from './backlog.ts';
import { batchRulesOf } from './batch-rules.ts';
import { batchLength, memoryOf } from './batches.ts';
import type { BoundPolicy } from './bound-policy.ts';
import { isHalfOpen, openUntil } from './circuit.ts';
import { type DeliveryContext, openBatch, type RunningPump } from './context.ts';
import { ExpirySweep } from './expiry-sweep.ts';
import { type AttemptedBatch, OutcomeWriter } from './outcome-writer.ts';
import { type AttemptResult, type BatchRules, concurrencyOf, type DueDelivery } from './policy.ts';
import { prepared } from './prepare.ts';
import { type DeliveryRecord, type DestinationRecord, deliveries, destinations, queueOf } from './records.ts';
import { sendBatch } from './sending.ts';

/** After this much, a destination yields to others and continues in its next turn. */
const TURN_MS = 5000;
const TURN_MESSAGES = 20_000;
/** Time for running attempts to finish when work must stop. */
const HALT_GRACE_MS = 1000;
/** Maximum number of unwritten results per concurrent message. */
const UNWRITTEN_FACTOR = 4;
/** Polling interval for deliveries from other nodes while messages are being sent here. */
const OTHER_NODES_MS = 1000;
/** With at least this many concurrent messages, results wait this long for each other before they are written. */
const SHARED_FROM = 16;
const SHARING_MS = 2;
/** How far a delivery is postponed if a fault wants it sent after its successor. */
const OVERTAKEN_MS = 5000;

/** One turn of sending the due deliveries of one destination. The lease on its work item guarantees a single pump across all nodes. */
export class Pump implements RunningPump {
  readonly #context: DeliveryContext;
  readonly #policy: BoundPolicy;
  readonly #name: string;
  readonly #queue: string;
  readonly #backlog: Backlog;
  readonly #expirySweep: ExpirySweep;
  readonly #outcomes: OutcomeWriter;
  readonly #concurrency: number;
  readonly #calls = new Calls();
  readonly #began = processTime();
  #destination: DestinationRecord | undefined;
  #batch: BatchRules | undefined;
  #halted = false;
  #started = 0;
  #underWay = 0;
  #tried: AttemptedBatch[] = [];
  #writing = false;
  #unwritten = 0;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(context: DeliveryContext, policy: BoundPolicy, destination: string) {
    this.#context = context;
    this.#policy = policy;
    this.#name = destination;
    this.#queue = queueOf(policy.name, destination);
    this.#backlog = new Backlog(context, policy, destination);
    this.#expirySweep = new ExpirySweep(context, policy, destination);
    this.#outcomes = new OutcomeWriter(context, policy);
    this.#concurrency = concurrencyOf(policy);
  }

  /** Sends until nothing is due, the turn is over or work must stop; then schedules the next turn. */
  async run(item: WorkItem<unknown>, halt: AbortSignal): Promise<void> {
    const { running, store } = this.#context;
    const stopWatching = this.#watch(halt);
    try {
      running.set(this.#queue, this);
      this.#destination = (await store.cached(destinations, this.#queue))?.value;
      this.#batch = await batchRulesOf(this.#context, this.#policy, this.#name, this.#calls);
      await untilSettled(async () => {
        await this.#sendAll();
        await this.#endOverdue();
        return this.#settle(item);
      });
    } finally {
      if (running.get(this.#queue) === this) running.delete(this.#queue);
      stopWatching();
    }
  }

  nudge(): void {
    this.#backlog.lookAgain();
    this.#notify();
  }

  offer(stored: Stored<DeliveryRecord>): void {
    this.#expirySweep.note(stored.value);
    this.#backlog.offer(stored);
    this.#notify();
  }

  forget(id: string): void {
    this.#backlog.forget(id);
  }

  #watch(halt: AbortSignal): () => void {
    let cancelGrace: (() => void) | undefined;
    const stop = (): void => {
      this.#halted = true;
      cancelGrace = after(HALT_GRACE_MS, () => this.#calls.cancelCalls());
      this.#notify();
    };
    if (halt.aborted) stop();
    else halt.addEventListener('abort', stop);
    return () => {
      halt.removeEventListener('abort', stop);
      cancelGrace?.();
    };
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      if (this.#failure) await this.#idle();
      if (this.#failure) throw this.#failure.error;
      if (this.#mayStart()) {
        const wanted = this.#batch?.maxItems ?? 1;
        if (this.#backlog.waiting.length < wanted) await this.#backlog.fill(wanted, isHalfOpen(this.#destination));
        if (this.#backlog.waiting.length > 0) {
          if (this.#context.faults.armed) await this.#startWithFaults();
          else this.#startNext();
          continue;
        }
      }
      if (this.#underWay === 0 && this.#unwritten === 0) {
        if (!this.#mayGoOn() || this.#backlog.exhausted) return;
        continue;
      }
      await this.#change();
    }
  }

  /** During a probation: ends deliveries past their time to live without another attempt. */
  async #endOverdue(): Promise<void> {
    const now = this.#context.clock.now();
    const until = openUntil(this.#destination, now);
    if (until === 0 || this.#halted) return;
    const rule = `its time to live ended on probation, by policy ${this.#policy.name}`;
    for await (const page of this.#expirySweep.pages(now, until)) {
      for (const stored of page) {
        this.#backlog.forget(stored.key);
        this.#endEarly([stored], 'expired', rule);
      }
      await this.#idle();
      if (this.#failure) throw this.#failure.error;
      if (this.#halted) return;
    }
  }

  /** False if work must stop, the turn is over or the destination is on probation. */
  #mayGoOn(): boolean {
    if (this.#halted || this.#started >= TURN_MESSAGES || processTime() - this.#began > TURN_MS) return false;
    return openUntil(this.#destination, this.#context.clock.now()) === 0;
  }

  #mayStart(): boolean {
    if (!this.#mayGoOn() || this.#backlog.exhausted) return false;
    // After a probation, and in strict order, the outcome of one message decides about the next.
    if (this.#policy.ordered || isHalfOpen(this.#destination)) return this.#underWay + this.#unwritten === 0;
    return this.#underWay < this.#concurrency && this.#unwritten < this.#concurrency * UNWRITTEN_FACTOR;
  }

  #startNext(): void {
    const batch = this.#takeNext();
    if (!batch) return;
    if (batch[0]!.value.orphaned) this.#endEarly(batch, 'cancelled', 'cancelled by its service');
    else this.#start(batch, undefined);
  }

  async #startWithFaults(): Promise<void> {
    const batch = this.#takeNext();
    if (!batch) return;
    const { service, address, orphaned, overtaken } = batch[0]!.value;
    const { faults } = this.#context;
    const effect = await faults.strike({ direction: 'outbound', service, method: 'POST', path: address });
    if (orphaned && !effect?.afterDelete) this.#endEarly(batch, 'cancelled', 'cancelled by its service');
    else if (effect?.outOfOrder && !overtaken) await this.#holdBack(batch);
    else this.#start(batch, effect);
  }

  #start(batch: readonly Stored<DeliveryRecord>[], effect: AppliedFault | undefined): void {
    this.#started += 1;
    this.#underWay += 1;
    void this.#send(batch, effect);
  }

  /** Takes the deliveries of the next message; returns undefined if the first one has expired. */
  #takeNext(): readonly Stored<DeliveryRecord>[] | undefined {
    const now = this.#context.clock.now();
    const first = this.#backlog.waiting[0]!;
    if (first.value.expiresAt === undefined || first.value.expiresAt > now || first.value.orphaned) {
      return this.#takeBatch(now);
    }
    this.#endEarly(this.#backlog.take(1), 'expired', `its time to live ended, by policy ${this.#policy.name}`);
    return undefined;
  }

  /** Expired deliveries, and those whose owner was deleted, do not share a message with others. */
  #takeBatch(now: number): Stored<DeliveryRecord>[] {
    const { waiting } = this.#backlog;
    const length = batchLength(waiting, this.#batch);
    if (length === 1) return this.#backlog.take(1);
    if (waiting[0]!.value.orphaned) return this.#backlog.take(1);
    const sound = waiting
      .slice(0, length)
      .findIndex(({ value }) => value.orphaned || (value.expiresAt ?? now + 1) <= now);
    return this.#backlog.take(sound > 0 ? sound : length);
  }

  async #send(taken: readonly Stored<DeliveryRecord>[], effect: AppliedFault | undefined): Promise<void> {
    const { clock, inFlightMemory } = this.#context;
    let leave: (() => void) | undefined;
    try {
      const ready = await this.#prepare(taken);
      const bytes = memoryOf(ready);
      if (bytes > 0) leave = await inFlightMemory.enter(bytes, this.#calls);
      const at = clock.now();
      const { stored, batch } = await openBatch(this.#context, ready);
      const result = batch.length > 0 ? await this.#sendBatch(batch, effect) : undefined;
      this.#underWay -= 1;
      if (result) this.#note({ stored, batch, at, result });
    } catch (error) {
      this.#underWay -= 1;
      if (!this.#calls.areCancelled) this.#failure ??= { error };
    }
    leave?.();
    this.#notify();
  }

  async #prepare(taken: readonly Stored<DeliveryRecord>[]): Promise<readonly Stored<DeliveryRecord>[]> {
    const [only] = taken;
    if (!only || !this.#policy.prepare) return taken;
    const ready = await prepared(this.#context, this.#policy, only);
    return ready ? [ready] : [];
  }

  /** Returns undefined if this side aborted the attempt: it does not count, and the message is sent again. */
  async #sendBatch(
    batch: readonly DueDelivery[],
    effect: AppliedFault | undefined,
  ): Promise<AttemptResult | undefined> {
    const result = await sendBatch(this.#context, this.#policy, batch, effect, this.#calls);
    return this.#halted && result.outcome === 'Aborted' ? undefined : result;
  }

  #endEarly(stored: readonly Stored<DeliveryRecord>[], cause: 'expired' | 'cancelled', rule: string): void {
    this.#note({ stored, at: this.#context.clock.now(), result: undefined, end: { cause, rule } });
  }

  async #holdBack(stored: readonly Stored<DeliveryRecord>[]): Promise<void> {
    const { store, clock } = this.#context;
    const dueAt = clock.now() + OVERTAKEN_MS;
    await store.transact(async (tx) => {
      for (const { key, value } of stored) {
        const current = await tx.get(deliveries, key);
        if (current?.value.state === 'queued') await tx.put(deliveries, key, { ...value, dueAt, overtaken: true });
      }
    });
  }

  /** Results are written together if they arrive before a write begins or while one is running. */
  #note(tried: AttemptedBatch): void {
    this.#tried.push(tried);
    this.#unwritten += 1;
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    try {
      while (this.#tried.length > 0) {
        // Further responses are expected soon, and a commit costs more than its content.
        if (this.#underWay >= SHARED_FROM && this.#tried.length < SHARED_FROM) await pause(SHARING_MS);
        let written = 0;
        const take = (): readonly AttemptedBatch[] => {
          const tried = this.#tried;
          this.#tried = [];
          written = tried.length;
          return tried;
        };
        this.#destination = await this.#outcomes.write(take, this.#destination);
        this.#unwritten -= written;
        if (this.#policy.ordered && this.#destination) this.#backlog.restart();
        this.#notify();
      }
    } catch (error) {
      this.#failure ??= { error };
      this.#unwritten = 0;
    } finally {
      this.#writing = false;
      this.#notify();
    }
  }

  /** Waits for running attempts and writes, so that none of them outlives the turn. */
  async #idle(): Promise<void> {
    while (this.#underWay > 0 || this.#writing) await this.#change();
  }

  async #settle(item: WorkItem<unknown>): Promise<RoundOutcome> {
    const { store, clock } = this.#context;
    const end = await trySettle(store, item, async (tx) => {
      this.#context.running.delete(this.#queue);
      const due = await this.#backlog.nextDue(tx);
      if (due === undefined) return undefined;
      const now = clock.now();
      // Read again, because a replay may have ended the probation.
      const destination = this.#destination && (await tx.get(destinations, this.#queue, 'none'))?.value;
      const until = openUntil(destination, now);
      return Math.max(due, now, until === 0 ? 0 : this.#expirySweep.nextLook(now, until));
    });
    if (end === 'unsettled') this.#backlog.lookAgain();
    return end;
  }

  #notify(): void {
    this.#wake?.();
  }

  /** Resolves when something has changed. Deliveries queued by other nodes are noticed by polling. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel?.();
        this.#wake = undefined;
        resolve();
      };
      const poll = (): void => this.nudge();
      const cancel = this.#context.store.hasOtherWriters ? after(OTHER_NODES_MS, poll) : undefined;
      this.#wake = wake;
    });
  }
}
