import { assertMovable } from '../clock/clock.ts';
import type { AdvanceResult, JarClock } from '../clock/types.ts';
import type { Store } from '../store/types.ts';
import { formatDuration } from '../time/duration.ts';
import { ClockError } from '../time/errors.ts';
import { Rounds } from './rounds.ts';
import { type AdvanceTarget, readTarget } from './target.ts';
import { Turn } from './turn.ts';
import type { AdvanceableWorker, Ran } from './worker.ts';

export interface AdvanceOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly worker: AdvanceableWorker;
  /** Identifies this node among those that share a database. */
  readonly node: string;
  /** The maximum number of consecutive rounds of work at the same time of the clock. */
  readonly mostRounds?: number;
}

/** Advances the clock; `note` is called with every item that runs meanwhile on this node, in the order in which they end. */
export type Advance = (to: AdvanceTarget, note?: (ran: Ran) => void) => Promise<AdvanceResult>;

const MOST_ROUNDS = 100_000;
/**
 * A handler can wait, through a request to the same jar, for a time of the clock that is being advanced. If nothing has happened for this
 * long, and someone has started to wait for a time since the handler started, this is assumed, and the clock advances while the handler is
 * still running.
 */
const ASSUMED_ASLEEP_MS = 100;

/** Returns the function that advances the clock through all due times in order, and resolves when no work is due or running. */
export function createAdvance(options: AdvanceOptions): Advance {
  const turn = new Turn(options.store, 'advance', options.node);
  return async (to, note) => {
    assertMovable(options.clock);
    const timeFrom = readTarget(to);
    return turn.take((lost) => advance(timeFrom, options, lost, note));
  };
}

async function advance(
  timeFrom: (now: number) => number,
  options: AdvanceOptions,
  lost: () => boolean,
  note?: (ran: Ran) => void,
): Promise<AdvanceResult> {
  const { store, clock, worker, mostRounds = MOST_ROUNDS } = options;
  // The previous holder of the turn may have moved the clock on another node, and its notice may still be on its way.
  await clock.refresh();
  const { epoch } = clock;
  const runsBefore = worker.runs;
  const from = clock.now();
  const target = timeFrom(from);
  const rounds = new Rounds(mostRounds, () => store.work.pending(clock.now(), worker.kinds));
  const stopCounting = worker.onFinished((ran) => {
    rounds.ran(ran.kind);
    note?.(ran);
  });
  const interrupted = (): boolean => worker.stopped || clock.epoch !== epoch || lost();

  const quietAt = (time: number): Promise<void> =>
    worker.settle({
      at: () => time,
      giveUp: (stillMs) => rounds.exceeded || interrupted() || (stillMs >= ASSUMED_ASLEEP_MS && sleeps(clock, worker)),
    });
  const check = (): void => {
    if (interrupted())
      throw new ClockError('INTERRUPTED', 'the clock was reset, closed or moved by another node while it was advanced');
    if (!rounds.exceeded) return;
    const who = rounds.lastKind === undefined ? 'a callback' : `work of the kind '${rounds.lastKind}'`;
    const message = `${who} keeps scheduling itself without time moving on`;
    throw new ClockError('NO_PROGRESS', `${message}; advancing by ${formatDuration(target - from)} ends here`);
  };

  try {
    for (;;) {
      await quietAt(Math.min(clock.now(), target));
      check();
      const next = await nextTime(options);
      if (next === undefined || next > target) break;
      if (next > clock.now()) rounds.restart();
      else rounds.again();
      await clock.moveTo(next);
    }
    await clock.moveTo(target);
    await quietAt(target);
    check();
  } finally {
    stopCounting();
  }
  return { now: clock.now(), fired: worker.runs - runsBefore };
}

/** The earliest due or wake time. Kinds whose handlers are all busy (see above) cannot start anything. */
async function nextTime({ store, clock, worker }: AdvanceOptions): Promise<number | undefined> {
  const kinds = worker.freeKinds();
  const due = kinds.length === 0 ? undefined : await store.work.nextDue(kinds);
  const wake = clock.nextWake();
  if (due === undefined || wake === undefined) return due ?? wake;
  return Math.min(due, wake);
}

function sleeps(clock: JarClock, worker: AdvanceableWorker): boolean {
  const mark = worker.oldestMark();
  return mark !== undefined && clock.nextWake(mark) !== undefined;
}
