import { isoTime } from '../../../kernel/time/index.ts';
import type { Run, RunDataSet, RunStatus } from '../collections.ts';
import { forProvider, type Messages } from './messages.ts';

/** Times that are not known yet are omitted. */
const timesOf = (it: Pick<Run, 'startTime' | 'endTime' | 'durationMs'>) => ({
  ...(it.startTime !== undefined && { startTime: isoTime(it.startTime) }),
  ...(it.endTime !== undefined && { endTime: isoTime(it.endTime) }),
  ...(it.durationMs !== undefined && { durationMs: it.durationMs }),
});

/** A run as consumers see it. */
export const consumerView = (it: Run): Record<string, unknown> => ({
  ...timesOf(it),
  ...(it.message !== undefined && { message: it.message }),
  status: it.status,
  synchronizationId: it.id,
  synchronizationMode: it.mode,
});

/** A run as providers see it: includes the consumer. */
export const providerView = (it: Run): Record<string, unknown> => ({
  ...(it.consumer.email !== undefined && { consumerEmail: it.consumer.email }),
  consumerName: it.consumer.name,
  consumerTenantName: it.consumer.tenantName,
  ...consumerView(asProvider(it)),
});

/** Replaces the message by the provider's. */
export const asProvider = <It extends Messages>(it: It): It => {
  const message = forProvider(it);
  return message === undefined ? it : { ...it, message };
};

/** Tables are not copied, so there are no row counts. */
export const detailView = (it: RunDataSet): Record<string, unknown> => ({
  dataSetId: it.dataSetId,
  dataSetType: it.kind,
  name: it.name,
  status: it.status,
  ...timesOf(it),
  ...(it.message !== undefined && { message: it.message }),
  filesRead: it.filesRead,
  filesWritten: it.filesWritten,
  sizeRead: it.sizeRead,
  sizeWritten: it.sizeWritten,
  rowsRead: 0,
  rowsCopied: 0,
  vCore: 0,
});

/** The status document's value for each run status. */
const OPERATION_STATUSES: Readonly<Record<RunStatus, string>> = {
  Queued: 'Accepted',
  InProgress: 'InProgress',
  Succeeded: 'Succeeded',
  Failed: 'Failed',
  Cancelled: 'Canceled',
};

/** The times stay null, as in the real service. */
export const statusDocument = ({ status, message }: Run) => ({
  startTime: null,
  endTime: null,
  status: OPERATION_STATUSES[status],
  error: status === 'Failed' ? { code: 'SynchronizationFailed', message: message ?? '' } : null,
});

export const isOver = ({ status }: Pick<Run, 'status'>): boolean => status !== 'Queued' && status !== 'InProgress';
