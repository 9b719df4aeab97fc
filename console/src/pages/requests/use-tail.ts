import { useEffect, useRef, useState } from 'react';
import type { Rows } from '../../shared/list/use-rows.ts';
import { useFrames } from '../../shared/live/live.tsx';
import type { Request } from './columns.tsx';

/** Requests are numbered, both directions together: `mwmguzdq-000000000011`. */
const ID = /^(.+)-(\d+)$/;

interface Place {
  readonly run: string;
  readonly number: number;
}

function placeOf(id: string | undefined): Place | undefined {
  const [, run, number] = ID.exec(id ?? '') ?? [];
  return run === undefined ? undefined : { run, number: Number(number) };
}

interface Tail {
  /** With the exact number of requests that wait, as far as it is known. */
  readonly rows: Rows<Request>;
  /** How many requests went by unseen while the list was followed. */
  readonly skipped: number;
}

/**
 * Counts what a followed list does not show. Pages are read once a second, so at a thousand requests a second most of them are never in the
 * list; their numbers tell how many. Only a list without filter and order has all numbers.
 */
export function useTail(rows: Rows<Request>, isFollowing: boolean, isWhole: boolean): Tail {
  const newest = useNewest();
  const [skipped, setSkipped] = useState(0);
  const seen = useRef<Place>(undefined);
  const first = rows.rows[0]?.id;
  const last = rows.rows.at(-1)?.id;
  useEffect(() => {
    const top = placeOf(first);
    const end = placeOf(last);
    const before = seen.current;
    seen.current = top;
    if (!isWhole || !isFollowing || !top || !end || before?.run !== top.run) return setSkipped(0);
    const gap = end.number - before.number - 1;
    if (gap > 0) setSkipped((each) => each + gap);
  }, [first, last, isWhole, isFollowing]);
  const top = placeOf(first);
  const isCounted = isWhole && !isFollowing && rows.waiting > 0 && top !== undefined && newest?.run === top.run;
  return {
    rows: isCounted
      ? { ...rows, waiting: Math.max(rows.waiting, newest.number - top.number), isWaitingCut: false }
      : rows,
    skipped,
  };
}

/** The newest request of which the jar has told. */
function useNewest(): Place | undefined {
  const [newest, setNewest] = useState<Place>();
  useFrames(({ requests: { sample } }) => {
    const [request] = sample;
    if (request) setNewest(placeOf(request.id));
  });
  return newest;
}
