import { StoreError } from '../store/errors.ts';
import type { Stored, Tx } from '../store/types.ts';
import { afterFailure } from './circuit.ts';
import { type DeliveryContext, readDelivery } from './context.ts';
import {
  type AttemptResult,
  type DeliveryEnd,
  type DeliveryPolicy,
  type DueDelivery,
  type EndCause,
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

/** A message that was tried, or deliveries that end without one. */
export interface Tried {
  readonly stored: readonly Stored<DeliveryRecord>[];
  /** As their service saw them; read again where they were never composed. */
  readonly batch?: readonly DueDelivery[];
  readonly at: number;
  readonly result: AttemptResult | undefined;
  /** Without an attempt: past its time, or taken back. */
  readonly end?: { readonly cause: 'expired' | 'cancelled'; readonly rule: string };
}

interface Judged {
  readonly each: Tried;
  readonly verdict: Verdict | undefined;
}

interface Step {
  readonly stored: Stored<DeliveryRecord>;
  readonly next: DeliveryRecord;
  readonly end: DeliveryEnd | undefined;
}

/** Writes down what came of attempts, and what follows from it. */
export class Endings {
  readonly #context: DeliveryContext;
  readonly #policy: DeliveryPolicy;

  constructor(context: DeliveryContext, policy: DeliveryPolicy) {
    this.#context = context;
    this.#policy = policy;
  }

  /** All that `take` gives when the transaction begins, in that one; gives what is known of the destination then. */
  async write(
    take: () => readonly Tried[],
    before: DestinationRecord | undefined,
  ): Promise<DestinationRecord | undefined> {
    let judged: readonly Judged[] | undefined;
    const counts: string[] = [];
    const after = await this.#context.store.transact(async (tx) => {
      const now = this.#context.clock.now();
      // Once: the body may run again, and nothing may be judged twice.
      judged ??= take().map((each) => ({ each, verdict: each.result && this.#judge(each.result) }));
      counts.length = 0;
      for (const { each, verdict } of judged) counts.push(...(await this.#end(tx, each, verdict, now)));
      return this.#noteDestination(tx, judged, before, now);
    });
    for (const outcome of counts) this.#context.count(this.#policy.service, outcome);
    return after;
  }

  #judge(result: AttemptResult): Verdict {
    try {
      return (this.#policy.classify ?? standardVerdict)(result);
    } catch (error) {
      const { name } = this.#policy;
      this.#context.log.error({ err: error, policy: name }, 'a policy could not judge an outcome');
      return {
        is: 'retry',
        rule: `${result.status ?? result.outcome}: tried again, as policy ${name} could not judge it`,
      };
    }
  }

  async #end(tx: Tx, tried: Tried, verdict: Verdict | undefined, now: number): Promise<string[]> {
    const [only] = tried.stored;
    if (only && tried.stored.length === 1 && !this.#policy.ended) {
      const written = await this.#put(tx, this.#step(only, tried, verdict, now), 'dropped', now);
      return written ? [written] : [];
    }
    const steps = tried.stored.map((stored) => this.#step(stored, tried, verdict, now));
    const counts: string[] = [];
    const { ended } = this.#policy;
    for (const cause of new Set(steps.map((step) => step.end?.cause))) {
      let group = steps.filter((step) => step.end?.cause === cause);
      const end = group[0]?.end;
      let failedAs: 'dead-lettered' | 'dropped' = 'dropped';
      if (end && ended) {
        group = await this.#stillQueued(tx, group);
        if (group.length === 0) continue;
        const told = await Promise.all(
          group.map(async ({ stored: { key, value }, next }) => {
            const known = tried.batch?.find((each) => each.id === key);
            const delivery = known ?? (await readDelivery(this.#context, tx, key, value));
            return { ...delivery, attempts: next.tries, history: next.history };
          }),
        );
        failedAs = (await ended(tx, told, end, this.#context.jar())) ?? 'dropped';
      }
      for (const step of group) {
        const written = await this.#put(tx, step, failedAs, now);
        if (written) counts.push(written);
      }
    }
    return counts;
  }

  #step(stored: Stored<DeliveryRecord>, tried: Tried, verdict: Verdict | undefined, now: number): Step {
    const { value } = stored;
    const { result } = tried;
    if (!result || !verdict) return { stored, next: value, end: tried.end };
    const tries = value.tries + 1;
    const maxAttempts = value.maxAttempts ?? this.#policy.maxAttempts ?? Number.POSITIVE_INFINITY;
    const cause = causeOf(verdict, tries, maxAttempts);
    const rule = verdict.rule ?? this.#ruleOf(result, cause, tries);
    const minDelayMs = verdict.is === 'retry' ? this.#minDelay(verdict, result, now) : 0;
    const nextAt = cause === undefined ? now + delayAfter(this.#policy, stored.key, tries, minDelayMs) : undefined;
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
    return `${what}: tried again ${by}`;
  }

  /** What was taken back or removed meanwhile has no end to be told of. */
  async #stillQueued(tx: Tx, group: readonly Step[]): Promise<Step[]> {
    const still: Step[] = [];
    for (const step of group) {
      const found = await tx.get(deliveries, step.stored.key);
      if (found?.etag === step.stored.etag) still.push(step);
    }
    return still;
  }

  /** Gives what to count it as; undefined when somebody else has written it meanwhile. */
  async #put(tx: Tx, { stored, next, end }: Step, failedAs: 'dead-lettered' | 'dropped', now: number) {
    const state = end && stateOf(end.cause, failedAs);
    const record: DeliveryRecord =
      end && state ? { ...next, state, cause: end.cause, rule: end.rule, endedAt: now } : next;
    try {
      await tx.put(deliveries, stored.key, record, { ifMatch: stored.etag });
    } catch (error) {
      if (error instanceof StoreError && error.code === 'PRECONDITION_FAILED') return undefined;
      throw error;
    }
    if (state === 'dropped' || state === 'dead-lettered') await this.#tellOfFailure(tx, stored.key, record, now);
    return state ?? 'retried';
  }

  /** What never arrives is news; what does is not. */
  async #tellOfFailure(tx: Tx, id: string, record: DeliveryRecord, now: number): Promise<void> {
    const { service, policy, address, owner, cause, rule, state, attempts } = record;
    await tx.change({
      source: service,
      kind: 'delivery',
      subject: record.subject ?? record.destination,
      outcome: 'Failed',
      at: now,
      data: { id, policy, address, owner, state, cause, rule, attempts },
    });
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
    if (record && opened) await this.#tellOfProbation(tx, record, now);
    return record;
  }

  async #tellOfProbation(tx: Tx, record: DestinationRecord, now: number): Promise<void> {
    const { policy, service, address, failures, outcome, until } = record;
    await tx.change({
      source: service,
      kind: 'probation',
      subject: record.destination,
      outcome: 'Failed',
      at: now,
      data: { policy, address, failures, outcome, until: new Date(until ?? now).toISOString() },
    });
  }
}

function causeOf(verdict: Verdict, tries: number, maxAttempts: number): EndCause | undefined {
  if (verdict.is !== 'retry') return verdict.is;
  return tries >= maxAttempts ? 'exhausted' : undefined;
}

function stateOf(cause: EndCause, failedAs: 'dead-lettered' | 'dropped'): 'delivered' | 'cancelled' | typeof failedAs {
  return cause === 'delivered' || cause === 'cancelled' ? cause : failedAs;
}

function hasAny(headers: Readonly<Record<string, string>>): boolean {
  for (const _ in headers) return true;
  return false;
}
