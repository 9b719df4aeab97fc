import { StoreError, type StoreErrorCode } from '../store/errors.ts';
import type { Stored, Tx } from '../store/types.ts';
import type { BoundPolicy } from './bound-policy.ts';
import { recordFailedDelivery, recordProbation } from './change-records.ts';
import { afterFailure } from './circuit.ts';
import { type DeliveryContext, readDelivery } from './context.ts';
import {
  type AttemptResult,
  type DeliveryEnd,
  type DueDelivery,
  type EndCause,
  isVerdict,
  standardVerdict,
  type Verdict,
} from './policy.ts';
import {
  type Attempt,
  type DeliveryRecord,
  type DestinationRecord,
  deliveries,
  destinations,
  queueOf,
  withAttempt,
} from './records.ts';
import { delayAfter, retryAfterMs } from './schedule.ts';
import { Tally } from './tally.ts';

/** An attempted message, or deliveries that end without an attempt. */
export interface AttemptedBatch {
  readonly stored: readonly Stored<DeliveryRecord>[];
  /** The deliveries as their service saw them; loaded again if no message was composed. */
  readonly batch?: readonly DueDelivery[];
  readonly at: number;
  readonly result: AttemptResult | undefined;
  /** Ended without an attempt: expired or cancelled. */
  readonly end?: { readonly cause: 'expired' | 'cancelled'; readonly rule: string };
}

interface Judged {
  readonly each: AttemptedBatch;
  readonly verdict: Verdict | undefined;
  /** Why the delivery has not ended, whatever the verdict: the service's callback failed. */
  readonly putOff?: string;
  /** When the service wants the next attempt. */
  readonly nextAt?: number;
}

interface Step {
  readonly stored: Stored<DeliveryRecord>;
  readonly next: DeliveryRecord;
  readonly end: DeliveryEnd | undefined;
}

interface Written {
  readonly id: string;
  /** The record before the change. */
  readonly value: DeliveryRecord;
  readonly record: DeliveryRecord;
}

const REASON_KEPT = 200;
/** Errors of the store itself, which are not the fault of the service's callback. */
const STORE_TROUBLE: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>([
  'UNREACHABLE',
  'UNCERTAIN',
  'BUSY',
  'READ_ONLY',
  'CONFLICT',
  'CLOSED',
  'LEASE_LOST',
]);

/** Stores outcomes of attempts and their consequences. */
export class OutcomeWriter {
  readonly #context: DeliveryContext;
  readonly #policy: BoundPolicy;
  /** The last error thrown by `attempted` or `ended`. */
  #callbackError: { readonly error: unknown } | undefined;

  constructor(context: DeliveryContext, policy: BoundPolicy) {
    this.#context = context;
    this.#policy = policy;
  }

  /**
   * Stores, in one transaction, everything that `take` returns when the transaction begins. Returns the state of the destination
   * afterwards.
   */
  async write(
    take: () => readonly AttemptedBatch[],
    before: DestinationRecord | undefined,
  ): Promise<DestinationRecord | undefined> {
    let judged: readonly Judged[] | undefined;
    // Cached, because the transaction body may run again and must judge each outcome only once.
    const once = (): readonly Judged[] => {
      judged ??= take().map((each) => ({ each, verdict: this.#judge(each) }));
      return judged;
    };
    try {
      return await this.#writeAll(once, before);
    } catch (error) {
      if (!judged || !this.#isOfService(error)) throw error;
      return this.#writeEach(judged, before);
    }
  }

  async #writeAll(
    judged: () => readonly Judged[],
    before: DestinationRecord | undefined,
  ): Promise<DestinationRecord | undefined> {
    let tally = new Tally();
    const after = await this.#context.store.transact(async (tx) => {
      const now = this.#context.clock.now();
      const all = judged();
      tally = new Tally();
      for (const each of all) {
        const nextAt = await this.#attempted(tx, each);
        await this.#end(tx, nextAt === undefined ? each : { ...each, nextAt }, now, tally);
      }
      return this.#noteDestination(tx, all, before, now);
    });
    tally.tell(this.#context, this.#policy.service);
    return after;
  }

  /** Stores outcomes one by one: a failing callback must not roll back the other outcomes, or their messages would be sent again. */
  async #writeEach(
    judged: readonly Judged[],
    before: DestinationRecord | undefined,
  ): Promise<DestinationRecord | undefined> {
    let after = before;
    for (const each of judged) {
      try {
        after = await this.#writeAll(() => [each], after);
      } catch (error) {
        if (!this.#isOfService(error)) throw error;
        const { name } = this.#policy;
        this.#context.log.error(
          { err: error, policy: name },
          'the callback of a policy for an attempt or an end failed',
        );
        const putOff = `postponed, because policy ${name} failed to process the end: ${messageOf(error)}`;
        after = await this.#writeAll(() => [{ ...each, putOff }], after);
      }
    }
    return after;
  }

  #isOfService(error: unknown): boolean {
    return error === this.#callbackError?.error && !(error instanceof StoreError && STORE_TROUBLE.has(error.code));
  }

  #judge({ result, batch = [] }: AttemptedBatch): Verdict | undefined {
    if (!result) return undefined;
    try {
      const verdict = (this.#policy.classify ?? standardVerdict)(result, batch);
      if (!isVerdict(verdict)) throw new Error('classify did not return a verdict');
      return verdict;
    } catch (error) {
      const { name } = this.#policy;
      this.#context.log.error({ err: error, policy: name }, 'a policy could not classify an outcome');
      return {
        is: 'retry',
        rule: `${result.status ?? result.outcome}: retried, because policy ${name} could not classify it`,
      };
    }
  }

  async #end(tx: Tx, judged: Judged, now: number, tally: Tally): Promise<void> {
    const steps = judged.each.stored.map((stored) => this.#step(stored, judged, now));
    if (judged.each.result) this.#noteSent(judged.each.result, steps, tally);
    for (const cause of steps.length === 1 ? [steps[0]?.end?.cause] : new Set(steps.map(({ end }) => end?.cause))) {
      const group = steps.filter(({ end }) => end?.cause === cause);
      const written: Written[] = [];
      for (const step of group) {
        const one = await this.#put(tx, step, now);
        if (one) written.push(one);
      }
      const end = group[0]?.end;
      const failedAs = end && written.length > 0 ? await this.#tell(tx, written, judged.each, end) : undefined;
      for (const one of written) await this.#finish(tx, one, failedAs, now, tally);
    }
  }

  #noteSent({ method }: AttemptResult, steps: readonly Step[], tally: Tally): void {
    const [first] = steps;
    const attempt = first?.next.history.at(-1);
    if (!first || !attempt) return;
    const { name: policy, service } = this.#policy;
    const bytes = steps.reduce((sum, { stored }) => sum + stored.value.bodyBytes, 0);
    const { key: id, value } = first.stored;
    tally.sent({ service, policy, id, deliveries: steps.length, address: value.address, method, bytes, attempt });
  }

  /** Returns when the service wants the next attempt, if it says so. */
  async #attempted(tx: Tx, { each: { result, batch }, verdict, putOff }: Judged): Promise<number | undefined> {
    if (!result || !batch || putOff !== undefined) return undefined;
    try {
      await this.#policy.attempted?.(tx, batch, result);
      return verdict?.is === 'retry' ? await this.#policy.retryAt?.(tx, batch) : undefined;
    } catch (error) {
      this.#callbackError = { error };
      throw error;
    }
  }

  /**
   * Notifies the service that deliveries have ended. They are stored as ended already, so cancelling everything queued for an owner does
   * not affect them.
   */
  async #tell(tx: Tx, written: readonly Written[], tried: AttemptedBatch, end: DeliveryEnd) {
    const { ended } = this.#policy;
    if (!ended) return undefined;
    const told = await Promise.all(
      written.map(async ({ id, value, record }) => {
        const known = tried.batch?.find((each) => each.id === id);
        const delivery = known ?? (await readDelivery(this.#context, tx, id, value));
        return { ...delivery, attempts: record.tries, history: record.history };
      }),
    );
    try {
      return await ended.call(this.#policy, tx, told, end);
    } catch (error) {
      this.#callbackError = { error };
      throw error;
    }
  }

  #step(stored: Stored<DeliveryRecord>, { each: tried, verdict, putOff, nextAt: wantedAt }: Judged, now: number): Step {
    const { value } = stored;
    const { result } = tried;
    if (!result || !verdict) {
      if (putOff === undefined) return { stored, next: value, end: tried.end };
      const dueAt = now + delayAfter(this.#timing(value), stored.key, Math.max(value.tries, 1));
      return { stored, next: { ...value, dueAt }, end: undefined };
    }
    const tries = value.tries + 1;
    const maxAttempts = value.maxAttempts ?? this.#policy.maxAttempts ?? Number.POSITIVE_INFINITY;
    const cause = putOff === undefined ? causeOf(verdict, tries, maxAttempts) : undefined;
    const rule = putOff ?? verdict.rule ?? this.#ruleOf(result, cause, tries);
    const minDelayMs = verdict.is === 'retry' ? this.#minDelay(verdict, result, now) : 0;
    const nextAt =
      cause === undefined
        ? (wantedAt ?? now + delayAfter(this.#timing(value), stored.key, tries, minDelayMs))
        : undefined;
    const attempt: Attempt = {
      number: value.attempts + 1,
      at: tried.at,
      ms: result.ms,
      ...(result.status !== undefined && { status: result.status }),
      outcome: result.outcome,
      ...(result.error !== undefined && { error: result.error }),
      ...(result.body !== '' && { response: result.body }),
      ...(hasAny(result.headers) && { headers: result.headers }),
      rule,
      ...(nextAt !== undefined && { nextAt }),
      ...(result.fault !== undefined && { fault: result.fault }),
    };
    const history = withAttempt(value.history, attempt);
    const next: DeliveryRecord = { ...value, attempts: attempt.number, tries, history, dueAt: nextAt ?? value.dueAt };
    return { stored, next, end: cause && { cause, rule, result } };
  }

  /** A delivery may override the schedule. */
  #timing({ schedule }: DeliveryRecord): Pick<BoundPolicy, 'schedule' | 'jitter'> {
    return schedule ? { ...this.#policy, schedule } : this.#policy;
  }

  #minDelay(verdict: Verdict & { is: 'retry' }, { headers }: AttemptResult, now: number): number {
    const asked = this.#policy.honourRetryAfter ? retryAfterMs(headers['retry-after'], now) : 0;
    return Math.max(verdict.minDelayMs ?? 0, asked);
  }

  #ruleOf({ status, outcome }: AttemptResult, cause: EndCause | undefined, tries: number): string {
    const what = status ?? outcome;
    const by = `by policy ${this.#policy.name}`;
    if (cause === 'delivered') return `${what}: delivered ${by}`;
    if (cause === 'refused') return `${what}: not retried ${by}`;
    if (cause === 'exhausted') return `${what}: attempt ${tries} was the last ${by}`;
    return `${what}: retried ${by}`;
  }

  /** Returns undefined if the record was changed meanwhile: a cancelled or removed delivery has no end to report. */
  async #put(tx: Tx, { stored, next, end }: Step, now: number): Promise<Written | undefined> {
    const record: DeliveryRecord = end
      ? { ...next, state: stateOf(end.cause), cause: end.cause, rule: end.rule, endedAt: now }
      : next;
    try {
      await tx.put(deliveries, stored.key, record, { ifMatch: stored.etag });
    } catch (error) {
      if (error instanceof StoreError && error.code === 'PRECONDITION_FAILED') return undefined;
      throw error;
    }
    return { id: stored.key, value: stored.value, record };
  }

  async #finish(tx: Tx, { id, record }: Written, failedAs: 'dead-lettered' | undefined, now: number, tally: Tally) {
    if (record.state !== 'dropped') return tally.count(record.state === 'queued' ? 'retried' : record.state);
    const final: DeliveryRecord = failedAs === undefined ? record : { ...record, state: failedAs };
    if (final !== record) await tx.put(deliveries, id, final);
    await recordFailedDelivery(tx, id, final, now);
    tally.count(final.state);
    tally.lose(id, final);
  }

  async #noteDestination(
    tx: Tx,
    judged: readonly Judged[],
    before: DestinationRecord | undefined,
    now: number,
  ): Promise<DestinationRecord | undefined> {
    let record = before;
    let opened = false;
    for (const { each, verdict } of judged) {
      const value = each.stored[0]?.value;
      if (!each.result || !verdict || !value) continue;
      if (verdict.is === 'delivered') record = undefined;
      else if (verdict.is === 'retry' || this.#policy.circuit?.byOutcome?.[each.result.outcome] !== undefined) {
        const place = { destination: value.destination, address: value.address };
        const after = afterFailure(this.#policy, record, place, each.result, now);
        record = after.record;
        opened ||= after.opened;
      }
    }
    if (record === before) return record;
    const destination = record?.destination ?? before?.destination ?? '';
    const key = queueOf(this.#policy.name, destination);
    if (!record) await tx.delete(destinations, key);
    else await tx.put(destinations, key, record);
    if (record && opened) await recordProbation(tx, record, now);
    return record;
  }
}

function causeOf(verdict: Verdict, tries: number, maxAttempts: number): EndCause | undefined {
  if (verdict.is !== 'retry') return verdict.is;
  return tries >= maxAttempts ? 'exhausted' : undefined;
}

function stateOf(cause: EndCause): 'delivered' | 'cancelled' | 'dropped' {
  return cause === 'delivered' || cause === 'cancelled' ? cause : 'dropped';
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, REASON_KEPT);
}

function hasAny(headers: Readonly<Record<string, string>>): boolean {
  for (const _ in headers) return true;
  return false;
}
