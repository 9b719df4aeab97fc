import { type DestinationRecord, destinations, openUntil } from '../../kernel/delivery/index.ts';
import { type EntityShape, entityShape } from '../../kernel/odata/index.ts';

/** `failing`: messages are still sent. `probation`: nothing is sent before `until`. `probing`: the next message decides. */
export const DESTINATION_STATES = ['failing', 'probation', 'probing'] as const;

export function stateOf(record: DestinationRecord, now: number): (typeof DESTINATION_STATES)[number] {
  if (openUntil(record, now) > 0) return 'probation';
  return record.until === undefined ? 'failing' : 'probing';
}

/** The fields for filtering and ordering failing destinations. Takes a time, because the state depends on it. */
export function destinationShape(now: number): EntityShape<DestinationRecord> {
  return entityShape({
    name: 'destinations',
    collection: destinations,
    properties: {
      policy: { type: 'Edm.String' },
      service: { type: 'Edm.String' },
      destination: { type: 'Edm.String' },
      address: { type: 'Edm.String' },
      state: { type: 'Edm.String', read: (record: DestinationRecord) => stateOf(record, now) },
      failures: { type: 'Edm.Int64' },
      since: { type: 'Edm.DateTimeOffset' },
      lastAt: { type: 'Edm.DateTimeOffset' },
      outcome: { type: 'Edm.String' },
      status: { type: 'Edm.Int32' },
      probations: { type: 'Edm.Int64' },
      until: { type: 'Edm.DateTimeOffset' },
    },
    scan: 'bounded',
  });
}
