import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSignals } from '../live/live.tsx';
import type { Signal } from '../live/signals.ts';
import { asFailure, type Failure } from './failure.ts';
import { isRemovingIn, useIsRemoving } from './use-removal.ts';

export interface Data<T> {
  /** The last known data; kept while it is read again, and after a failure. */
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  /** Shown data may be out of date: it is being read again after a failure, or belongs to another key. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  readAgain(): void;
}

interface Options {
  /** What makes the data out of date. */
  readonly on?: readonly Signal[];
  /** Data is not read while false. */
  readonly enabled?: boolean;
  /** While reading the data of another key, shows that of the key before. */
  readonly keepPrevious?: boolean;
  /** Read again this often, for data that no signal announces. */
  readonly everyMs?: number | undefined;
}

const RETRY_MS = 2_000;

/** Reads data, keeps it while it is read again, and reads again when a signal says that it may have changed. Failures retry by themselves. */
export function useData<T>(key: QueryKey, read: (signal: AbortSignal) => Promise<T>, options: Options = {}): Data<T> {
  const { on = [], enabled = true, keepPrevious = false, everyMs } = options;
  const client = useQueryClient();
  const isRemoving = useIsRemoving();
  const result = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled: enabled && !isRemoving,
    retry: (count, error) => asFailure(error).status === 0 || (asFailure(error).status >= 500 && count < 3),
    retryDelay: RETRY_MS,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
  // A read that takes longer than the signals are apart is not begun anew by each of them, but once more after its end.
  const isOutdated = useRef(false);
  const readAgain = (): void => {
    // The hook learns of a removal a moment later; at its end everything is read again.
    if (isRemovingIn(client)) return;
    if (client.isFetching({ queryKey: key, exact: true }) > 0) isOutdated.current = true;
    else void client.invalidateQueries({ queryKey: key, exact: true });
  };
  const { isFetching } = result;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a read ends
  useEffect(() => {
    if (isFetching || !isOutdated.current) return;
    isOutdated.current = false;
    readAgain();
  }, [isFetching]);
  useSignals(on, readAgain);
  const problem = result.error ?? result.failureReason;
  return {
    data: result.data,
    failure: problem ? asFailure(problem) : undefined,
    isStale: result.isPlaceholderData || Boolean(problem),
    isLoading: result.data === undefined && result.isFetching,
    readAgain,
  };
}
