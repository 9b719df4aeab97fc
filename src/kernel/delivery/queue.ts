import { StoreError } from '../store/errors.ts';
import type { Filter, Page, Position, Stored, Tx } from '../store/types.ts';
import { openUntil } from './circuit.ts';
import { type DeliveryContext, PUMP, policyOf, type RunningPump, readDelivery } from './context.ts';
import { expiryOf } from './expiry-sweep.ts';
import { DeliveryIds } from './ids.ts';
import { windowOf } from './policy.ts';
import {
  type DeliveryRecord,
  deliveries,
  deliveryBodies,
  destinations,
  INLINE_BODY_BYTES,
  laneOfQueue,
  queueOf,
  shortened,
} from './records.ts';
import { shownDestination, storedTarget } from './target.ts';

export interface NewDelivery {
  /** Name of a policy that a service has declared. */
  readonly policy: string;
  /** Deliveries are queued per destination: a subscription's id, or the URL itself. */
  readonly destination: string;
  /** Id of the receiver's owner, by which `cancel` finds deliveries when the owner is deleted. */
  readonly owner?: string;
  /** What the message is about, for display. */
  readonly subject?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** By default now, or when the policy's batching window ends. */
  readonly dueAt?: number;
  /** These override the policy. */
  readonly expiresAt?: number;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
  readonly schedule?: readonly number[];
}

export type CancelSelection =
  | { readonly owner: string }
  | { readonly policy: string; readonly destination: string }
  | { readonly id: string };

const PAGE = 500;

function ownership(owner: string | undefined, destination: string): Pick<DeliveryRecord, 'owner' | 'owned'> {
  if (owner === undefined) return {};
  return owner === destination ? { owned: true } : { owner };
}

/** Queues and cancels deliveries, always in the caller's transaction. */
export class DeliveryQueue {
  readonly #context: DeliveryContext;
  readonly #ids: DeliveryIds;
  /** Queues that a transaction has already woken, and the due time. */
  readonly #woken = new WeakMap<Tx, Map<string, number>>();

  constructor(context: DeliveryContext) {
    this.#context = context;
    this.#ids = new DeliveryIds(context.clock);
  }

  async enqueue(tx: Tx, delivery: NewDelivery): Promise<string> {
    const { clock, vault } = this.#context;
    const policy = policyOf(this.#context, delivery.policy);
    const now = clock.now();
    const id = this.#ids.next();
    const destination = shownDestination(vault, delivery.destination);
    const expiresAt = delivery.expiresAt ?? (policy.timeToLiveMs === undefined ? undefined : now + policy.timeToLiveMs);
    const bodyBytes = Buffer.byteLength(delivery.body);
    const inline = bodyBytes <= INLINE_BODY_BYTES;
    const record: DeliveryRecord = {
      policy: policy.name,
      service: policy.service,
      destination,
      ...ownership(delivery.owner, destination),
      ...(delivery.subject !== undefined && { subject: delivery.subject }),
      ...storedTarget(vault, delivery.url, delivery.headers),
      ...(inline && { body: delivery.body }),
      bodyBytes,
      state: 'queued',
      createdAt: now,
      dueAt: delivery.dueAt ?? now + windowOf(policy),
      attempts: 0,
      tries: 0,
      history: [],
      ...(delivery.maxAttempts !== undefined && { maxAttempts: delivery.maxAttempts }),
      ...(delivery.timeoutMs !== undefined && { timeoutMs: delivery.timeoutMs }),
      ...(delivery.schedule !== undefined && { schedule: delivery.schedule }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(policy.ordered && { ordered: true }),
    };
    const stored = await tx.put(deliveries, id, record);
    if (!inline) await tx.put(deliveryBodies, id, { body: delivery.body });
    const pump = this.#localPump(queueOf(policy.name, destination));
    if (pump) tx.afterCommit(() => pump.offer(stored));
    else await this.#wake(tx, policy.name, destination, record);
    return id;
  }

  /**
   * A running pump that will see what this transaction writes. A store with one writer has one node, and its running pump looks again after
   * this commit before it ends its turn.
   */
  #localPump(queue: string): RunningPump | undefined {
    const { store, running } = this.#context;
    return store.hasOtherWriters ? undefined : running.get(queue);
  }

  /** Schedules the pump for when a delivery is due, or when its destination's probation ends; or for when it expires. */
  async #wake(tx: Tx, policy: string, destination: string, record: DeliveryRecord): Promise<void> {
    const { store, clock } = this.#context;
    const known = store.peek(destinations, queueOf(policy, destination))?.value;
    const until = openUntil(known, clock.now());
    await this.#wakeAt(tx, policy, destination, Math.max(record.dueAt, Math.min(until, expiryOf(record))));
  }

  async #wakeAt(tx: Tx, policy: string, destination: string, dueAt: number): Promise<void> {
    const { running } = this.#context;
    const queue = queueOf(policy, destination);
    let woken = this.#woken.get(tx);
    if (!woken) {
      woken = new Map();
      this.#woken.set(tx, woken);
    }
    const known = woken.get(queue);
    if (known !== undefined && known <= dueAt) return;
    woken.set(queue, dueAt);
    const pump = running.get(queue);
    if (known === undefined && pump) tx.afterCommit(() => pump.nudge());
    if (this.#localPump(queue)) return;
    await tx.wake(PUMP.at(dueAt, { policy, destination }, `delivery:${queue}`));
  }

  /** Cancels queued deliveries; returns the number. Messages that are being sent may still arrive. */
  async cancel(tx: Tx, selection: CancelSelection, rule = 'cancelled by its service'): Promise<number> {
    if ('id' in selection) {
      const found = await tx.get(deliveries, selection.id);
      if (found?.value.state !== 'queued') return 0;
      await this.#cancelAll(tx, [found], rule);
      return 1;
    }
    const filter: Filter =
      'owner' in selection
        ? { op: 'eq', field: 'ownerLine', value: shortened(selection.owner) }
        : { op: 'eq', field: 'line', value: laneOfQueue(this.#queueOf(selection)) };
    let cancelled = 0;
    for (let after: Position | undefined; ; ) {
      const { items, next }: Page<DeliveryRecord> = await tx.query(deliveries, {
        filter: { op: 'and', args: [filter, { op: 'eq', field: 'state', value: 'queued' }] },
        // For a destination, in the order of the index; otherwise each page would have to sort everything.
        order: [{ field: 'owner' in selection ? 'key' : 'place' }],
        after,
        limit: PAGE,
      });
      const fresh = items.filter((item) => !item.value.orphaned);
      await this.#cancelAll(tx, fresh, rule);
      cancelled += fresh.length;
      if (!next) return cancelled;
      after = next;
    }
  }

  #queueOf({ policy, destination }: { readonly policy: string; readonly destination: string }): string {
    return queueOf(policy, shownDestination(this.#context.vault, destination));
  }

  /** Removes a delivery from what a running pump has prefetched. */
  #withdraw(tx: Tx, id: string, { policy, destination }: DeliveryRecord): void {
    const { running } = this.#context;
    tx.afterCommit(() => running.get(queueOf(policy, destination))?.forget(id));
  }

  async #cancelAll(tx: Tx, page: readonly Stored<DeliveryRecord>[], rule: string): Promise<void> {
    const { clock, count, faults, policies } = this.#context;
    for (const { key, value } of page) {
      this.#withdraw(tx, key, value);
      if (faults.armed) {
        // A fault rule may want it sent anyway, which is decided when it is due.
        await tx.put(deliveries, key, { ...value, orphaned: true });
        continue;
      }
      await tx.put(deliveries, key, { ...value, state: 'cancelled', cause: 'cancelled', rule, endedAt: clock.now() });
      const policy = policies.get(value.policy);
      if (policy?.ended) {
        const ended = { ...(await readDelivery(this.#context, tx, key, value)), history: value.history };
        await policy.ended(tx, [ended], { cause: 'cancelled', rule });
      }
      tx.afterCommit(() => count(value.service, 'cancelled'));
    }
  }

  /** Queues a delivery again: due now, with all attempts and its full time to live. */
  async replay(tx: Tx, { key, value }: Stored<DeliveryRecord>): Promise<DeliveryRecord> {
    const { clock } = this.#context;
    const now = clock.now();
    const { endedAt: _endedAt, cause: _cause, rule: _rule, orphaned: _orphaned, ...kept } = value;
    const lifeMs = value.expiresAt === undefined ? undefined : value.expiresAt - value.createdAt;
    const record: DeliveryRecord = {
      ...kept,
      state: 'queued',
      dueAt: now,
      tries: 0,
      replays: (value.replays ?? 0) + 1,
      ...(lifeMs !== undefined && { expiresAt: now + lifeMs }),
    };
    await tx.put(deliveries, key, record);
    this.#withdraw(tx, key, value);
    // The user who replays wants an attempt, whatever the destination did before.
    await tx.delete(destinations, queueOf(value.policy, value.destination));
    await this.#wakeAt(tx, value.policy, value.destination, now);
    return record;
  }

  /** Makes a delivery due now instead of by its schedule. */
  async makeDueNow(tx: Tx, id: string): Promise<boolean> {
    const found = await tx.get(deliveries, id);
    if (found?.value.state !== 'queued') return false;
    const { value } = found;
    const now = this.#context.clock.now();
    if (value.dueAt <= now) return true;
    const hastened = { ...value, dueAt: now };
    await tx.put(deliveries, id, hastened);
    this.#withdraw(tx, id, value);
    await this.#wake(tx, value.policy, value.destination, hastened);
    return true;
  }

  async forgive(tx: Tx, selection: { readonly policy: string; readonly destination: string }): Promise<void> {
    const key = this.#queueOf(selection);
    if (!(await tx.get(destinations, key))) return;
    await tx.delete(destinations, key);
    const { vault, clock } = this.#context;
    await this.#wakeAt(tx, selection.policy, shownDestination(vault, selection.destination), clock.now());
  }

  /** Returns false if the delivery was changed or removed since it was read. */
  async remove(tx: Tx, { key, etag, value }: Stored<DeliveryRecord>): Promise<boolean> {
    try {
      await tx.delete(deliveries, key, { ifMatch: etag });
    } catch (error) {
      if (error instanceof StoreError && error.code === 'PRECONDITION_FAILED') return false;
      throw error;
    }
    if (value.body === undefined) await tx.delete(deliveryBodies, key);
    this.#withdraw(tx, key, value);
    return true;
  }
}
