import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { callerOf } from '../access/caller.ts';
import { findDataset, tableOf } from '../access/find.ts';
import { type TableState, tableKey, tableStates } from '../collections.ts';
import { contextOf } from '../context.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import { oneMistake } from '../model/mistakes.ts';
import type { Dataset, Table } from '../model/types.ts';
import type { Push } from './append.ts';

type Sequence = NonNullable<Push['sequence']>;

const NUMBER = 'x-powerbi-pushdata-sequencenumber';
const CLIENT = 'x-powerbi-pushdata-clientid';

const CLIENT_ID = /^[\w.:@-]{1,128}$/;
const MOST_CLIENTS = 100;

/** The sequence number of a request. Clients without a client id are identified by the caller's object id. */
export function readSequence(call: DatasetsCall): Sequence | undefined {
  const { [NUMBER]: number, [CLIENT]: client = callerOf(call).objectId.toLowerCase() } = call.headers;
  if (number === undefined) return undefined;
  if (typeof number !== 'string' || !/^\d{1,15}$/.test(number))
    throw oneMistake(
      'X-PowerBI-PushData-SequenceNumber',
      'A sequence number is a whole number of 0 or more, with at most 15 digits.',
    );
  if (typeof client !== 'string' || !CLIENT_ID.test(client))
    throw oneMistake('X-PowerBI-PushData-ClientId', 'A client id must be 1 to 128 letters, digits or . : @ _ -');
  return { client, number: Number(number) };
}

/**
 * A repeated request is acknowledged without looking at its rows. Of two concurrent requests with the same number, the second is detected
 * when it is stored.
 */
export async function isAcknowledged(
  { jar }: DatasetsCall,
  { id }: Dataset,
  { storage }: Table,
  sequence: Sequence,
): Promise<boolean> {
  const state = await jar.store.get(tableStates, tableKey(id, storage));
  return state !== undefined && isRepeated(state.value, sequence);
}

/** True if the rows of this sequence number are already stored: the request is acknowledged, and its rows are not added again. */
export function isRepeated({ sequences }: TableState, { client, number }: Sequence): boolean {
  const last = Object.hasOwn(sequences, client) ? sequences[client] : undefined;
  if (last === undefined && Object.keys(sequences).length >= MOST_CLIENTS)
    throw oneMistake(
      'X-PowerBI-PushData-ClientId',
      `The table already has sequence numbers of ${MOST_CLIENTS} clients.`,
    );
  return last !== undefined && number <= last;
}

const Number_ = Type.Object({ clientId: Type.String(), sequenceNumber: Type.Integer() });

export const getSequenceNumbers = routeCode(['dataset', 'table'], {
  responses: { 200: Type.Object({ value: Type.Array(Number_) }) },
  async handle(call) {
    const { params, jar } = call;
    const dataset = await findDataset(call, params.dataset);
    const table = tableOf(dataset, params.table);
    const state = await jar.store.get(tableStates, tableKey(dataset.id, table.storage));
    const value = Object.entries(state?.value.sequences ?? {}).map(([clientId, sequenceNumber]) => ({
      clientId,
      sequenceNumber,
    }));
    return ok({ ...contextOf(call, `datasets('${dataset.id}')/tables/sequenceNumbers`), value });
  },
});
