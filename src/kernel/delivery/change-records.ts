import type { Tx } from '../store/types.ts';
import type { DeliveryRecord, DestinationRecord } from './records.ts';

/** Change records for followers. Only failed deliveries are reported. */
export async function recordFailedDelivery(tx: Tx, id: string, record: DeliveryRecord, now: number): Promise<void> {
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

export async function recordProbation(tx: Tx, record: DestinationRecord, now: number): Promise<void> {
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
