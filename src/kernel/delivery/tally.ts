import type { DeliveryContext } from './context.ts';
import { type Attempt, type DeliveryRecord, ownerOf } from './records.ts';

/** One sent message, for logs; it may contain several deliveries. */
export interface SentMessage {
  readonly service: string;
  readonly policy: string;
  /** Id of the first delivery. */
  readonly id: string;
  readonly deliveries: number;
  /** URL without its query. */
  readonly address: string;
  /** Undefined if the message was not sent over HTTP. */
  readonly method: string | undefined;
  readonly bytes: number;
  readonly attempt: Attempt;
}

interface Lost {
  /** Id of the first delivery, for looking it up. */
  readonly id: string;
  readonly record: DeliveryRecord;
  deliveries: number;
}

/** Outcomes of one transaction, reported after its commit: all are counted, and failed deliveries are logged. */
export class Tally {
  readonly #outcomes: string[] = [];
  readonly #lost = new Map<string, Lost>();
  readonly #sent: SentMessage[] = [];

  sent(message: SentMessage): void {
    this.#sent.push(message);
  }

  count(outcome: string): void {
    this.#outcomes.push(outcome);
  }

  lose(id: string, record: DeliveryRecord): void {
    const alike = JSON.stringify([ownerOf(record), record.address, record.state, record.rule]);
    const known = this.#lost.get(alike);
    if (known) known.deliveries += 1;
    else this.#lost.set(alike, { id, record, deliveries: 1 });
  }

  /** Writes one line for all deliveries that failed in the same way: a receiver that is down may fail thousands at once. */
  tell({ count, sent, log }: Pick<DeliveryContext, 'count' | 'sent' | 'log'>, service: string): void {
    for (const message of this.#sent) sent(message);
    for (const outcome of this.#outcomes) count(service, outcome);
    for (const { id, record, deliveries } of this.#lost.values()) {
      const { policy, address, state, rule, attempts, history } = record;
      const owner = ownerOf(record);
      const { outcome, error } = history.at(-1) ?? {};
      const came = { ...(outcome !== undefined && { outcome }), ...(error !== undefined && { error }) };
      const fields = { policy, delivery: id, ...(owner !== undefined && { owner }), deliveries, attempts, ...came };
      log.warn(fields, `not delivered to ${address}, ${state}: ${rule}`);
    }
  }
}
