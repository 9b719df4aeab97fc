import type { DeliveryContext } from './context.ts';
import { type DeliveryRecord, ownerOf } from './records.ts';

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
  tell({ count, log }: Pick<DeliveryContext, 'count' | 'log'>, service: string): void {
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
