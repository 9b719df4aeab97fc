import type { DeliveryContext } from './context.ts';
import { type Attempt, type DeliveryRecord, ownerOf } from './records.ts';

/** One message that was sent, for logs: it may have carried several deliveries. */
export interface SentMessage {
  readonly service: string;
  readonly policy: string;
  /** Of the first of them. */
  readonly id: string;
  readonly deliveries: number;
  /** Without its query. */
  readonly address: string;
  /** Absent where it was not sent over HTTP. */
  readonly method: string | undefined;
  readonly bytes: number;
  readonly attempt: Attempt;
}

interface Lost {
  /** Of the first of them, to look it up by. */
  readonly id: string;
  readonly record: DeliveryRecord;
  deliveries: number;
}

/** What came of deliveries in one transaction, told once that has committed: all are counted, and what never arrives is logged. */
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

  /** One line for all that ended alike: a receiver that is down may lose thousands at once. */
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
