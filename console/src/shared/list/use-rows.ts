import { useCallback, useEffect, useRef, useState } from 'react';
import { asFailure, type Failure } from '../api/failure.ts';
import type { ServiceRequest } from '../api/service.ts';
import { useIsRemoving } from '../api/use-removal.ts';
import { useSignals } from '../live/live.tsx';
import type { Signal } from '../live/signals.ts';
import { type Merged, merge, revealed } from './merge.ts';
import {
  type ListPath,
  ownPath,
  type PageOfRows,
  type Query,
  type RowOf,
  readControlPage,
  readServicePage,
  withQuery,
} from './pages.ts';

/** The rows of a list, read page by page as the person scrolls, and kept up to date. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Number of new rows that wait to be shown. */
  readonly waiting: number;
  /** More rows wait than were counted, because the list has moved on by more than a page. */
  readonly isWaitingCut?: boolean;
  showWaiting(): void;
  readonly hasMore: boolean;
  loadMore(): void;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  /** The rows belong to another filter, or could not be read again. */
  readonly isStale: boolean;
  readAgain(): void;
}

interface Options<Row> {
  /** Rows of another key are another list. */
  readonly listKey: string;
  readonly read: (link: string | undefined, signal: AbortSignal) => Promise<PageOfRows<Row>>;
  readonly keyOf: (row: Row) => string;
  readonly on: readonly Signal[];
  /** New rows are shown at once, as in a log that a person follows. */
  readonly follow?: boolean | undefined;
}

interface State<Row> extends Merged<Row> {
  readonly listKey: string;
  readonly first: readonly Row[];
  /** What follows the first page. */
  readonly firstLink: string | undefined;
  readonly nextLink: string | undefined;
  readonly failure: Failure | undefined;
}

const RETRY_MS = 2_000;
/** A followed list is cut to its first page when it is longer; the rest is read again when the person scrolls. */
const MOST_FOLLOWED = 2_000;

export function useRows<Row>({ listKey, read, keyOf, on, follow = false }: Options<Row>): Rows<Row> {
  const [state, setState] = useState<State<Row>>();
  const latest = useRef({ read, keyOf, follow });
  latest.current = { read, keyOf, follow };
  const [round, setRound] = useState(0);
  const loadingMore = useRef<AbortController>(undefined);
  const reading = useRef({ isRunning: false, isStale: false });
  const isRemoving = useIsRemoving();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads the same list again
  useEffect(() => {
    if (isRemoving) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    reading.current = { isRunning: true, isStale: false };
    latest.current
      .read(undefined, abort.signal)
      .then(
        (page) => abort.signal.aborted || setState((before) => withFirstPage(before, listKey, page, latest.current)),
        (error) => {
          if (abort.signal.aborted) return;
          const failure = asFailure(error);
          setState((before) => ({ ...(before ?? emptyState(listKey)), failure }));
          if (failure.status === 0 || failure.status >= 500)
            timer = setTimeout(() => setRound((each) => each + 1), RETRY_MS);
        },
      )
      .finally(() => {
        if (abort.signal.aborted) return;
        const { isStale } = reading.current;
        reading.current = { isRunning: false, isStale: false };
        if (isStale) setRound((each) => each + 1);
      });
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [listKey, round, isRemoving]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list ends the loading of this one
  useEffect(() => () => loadingMore.current?.abort(), [listKey]);

  // A read that takes longer than the signals are apart is not begun anew by each of them, but once more after its end.
  const readAgain = useCallback(() => {
    if (reading.current.isRunning) reading.current.isStale = true;
    else setRound((each) => each + 1);
  }, []);
  useSignals(on, readAgain);

  const isCurrent = state?.listKey === listKey;
  const loadMore = (): void => {
    if (!isCurrent || state.nextLink === undefined || (loadingMore.current && !loadingMore.current.signal.aborted))
      return;
    const abort = new AbortController();
    loadingMore.current = abort;
    const link = ownPath(state.nextLink);
    latest.current
      .read(link, abort.signal)
      .then(
        (page) =>
          setState((before) =>
            before?.listKey === listKey && !abort.signal.aborted
              ? withNextPage(before, page, latest.current.keyOf)
              : before,
          ),
        (error) => abort.signal.aborted || setState((before) => before && { ...before, failure: asFailure(error) }),
      )
      .finally(() => {
        if (loadingMore.current === abort) loadingMore.current = undefined;
      });
  };
  return {
    rows: state?.shown ?? [],
    waiting: isCurrent ? state.waiting.length : 0,
    isWaitingCut: isCurrent && state.hasGap,
    showWaiting: () => setState((before) => before && withWaiting(before, latest.current.keyOf)),
    hasMore: isCurrent && state.nextLink !== undefined,
    loadMore,
    failure: state?.failure,
    isLoading: state === undefined,
    isStale: state !== undefined && (!isCurrent || state.failure !== undefined),
    readAgain,
  };
}

const emptyState = <Row>(listKey: string): State<Row> => ({
  listKey,
  shown: [],
  waiting: [],
  hasGap: false,
  first: [],
  firstLink: undefined,
  nextLink: undefined,
  failure: undefined,
});

function withFirstPage<Row>(
  before: State<Row> | undefined,
  listKey: string,
  { value, nextLink }: PageOfRows<Row>,
  { keyOf, follow }: { readonly keyOf: (row: Row) => string; readonly follow: boolean },
): State<Row> {
  const isSame = before?.listKey === listKey && before.failure === undefined;
  const firstPage = { first: value, firstLink: nextLink, failure: undefined };
  const fresh = { listKey, ...firstPage, shown: value, waiting: [], hasGap: false, nextLink };
  if (!isSame) return fresh;
  const merged = merge(before, value, keyOf, nextLink === undefined);
  const shown = follow ? revealed(merged, value, keyOf) : merged;
  if (follow && (merged.hasGap || shown.shown.length > MOST_FOLLOWED)) return fresh;
  // With more rows shown than the first page has, the link continues after the last one shown.
  const goesOn = before.nextLink !== undefined && before.shown.length > value.length;
  return {
    listKey,
    ...shown,
    ...firstPage,
    nextLink:
      goesOn || (before.nextLink === undefined && nextLink !== undefined && before.shown.length >= value.length)
        ? before.nextLink
        : nextLink,
  };
}

function withWaiting<Row>(before: State<Row>, keyOf: (row: Row) => string): State<Row> {
  const { first, firstLink, hasGap, nextLink } = before;
  return { ...before, ...revealed(before, first, keyOf), nextLink: hasGap ? firstLink : nextLink };
}

function withNextPage<Row>(
  before: State<Row>,
  { value, nextLink }: PageOfRows<Row>,
  keyOf: (row: Row) => string,
): State<Row> {
  const known = new Set(before.shown.map(keyOf));
  return {
    ...before,
    shown: [...before.shown, ...value.filter((row) => !known.has(keyOf(row)))],
    nextLink,
    failure: undefined,
  };
}

const PAGE_SIZE = 200;

interface ControlOptions<P extends ListPath> {
  readonly query?: Query;
  readonly keyOf: (row: RowOf<P>) => string;
  readonly on: readonly Signal[];
  readonly follow?: boolean;
}

/** The rows of a list of the control API. */
export function useControlRows<P extends ListPath>(
  path: P,
  { query = {}, keyOf, on, follow }: ControlOptions<P>,
): Rows<RowOf<P>> {
  const first = withQuery(path, { $top: PAGE_SIZE, ...query });
  return useRows<RowOf<P>>({
    listKey: first,
    read: (link, signal) => readControlPage(link ?? first, signal),
    keyOf,
    on,
    follow,
  });
}

interface ServiceOptions<Row> {
  readonly request?: ServiceRequest;
  readonly keyOf: (row: Row) => string;
  readonly on: readonly Signal[];
  readonly follow?: boolean;
}

/** The rows of a list of a service, at its own address. */
export function useServiceRows<Row>(path: string, { request, keyOf, on, follow }: ServiceOptions<Row>): Rows<Row> {
  return useRows<Row>({
    listKey: `${request?.as ?? ''} ${path}`,
    read: (link, signal) => readServicePage(link ?? path, { ...request, signal }),
    keyOf,
    on,
    follow,
  });
}
