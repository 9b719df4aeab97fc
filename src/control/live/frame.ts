import { Type } from 'typebox';
import type { Reader } from '../../kernel/store/index.ts';
import type { RequestLog } from '../../kernel/telemetry/index.ts';
import { isoTime } from '../../kernel/time/index.ts';
import { HealthView } from '../health.ts';
import { ChangesSchema, NO_CHANGES, readRecords } from './changes.ts';
import { fitting } from './fit.ts';
import { areEqual, type Beginning, idAt, isReplaced, type Position } from './position.ts';
import { RequestsSchema, summarise, WrittenSchema } from './requests.ts';

const TROUBLES = { most: 20, bytes: 3 * 1024 };

const Time = Type.String();
const OptionalTime = Type.Union([Time, Type.Null()]);
const Flag = (description: string) => Type.Optional(Type.Literal(true, { description }));

/** The data of the event `tick`. The parts have bounds that add up to less than 32 KiB. */
export const TickSchema = Type.Object({
  now: Type.String({ description: "By the jar's clock" }),
  mode: Type.Enum(['shifted', 'virtual', 'system']),
  nextDue: OptionalTime,
  systemAt: Type.String({ description: 'By the system clock' }),
  requests: RequestsSchema,
  changes: ChangesSchema,
  work: Type.Optional(
    Type.Object(
      { waiting: Type.Integer(), leased: Type.Integer(), parked: Type.Integer(), oldestDueAt: OptionalTime },
      { description: 'Due work, read at most once a second; absent if the store has not answered yet' },
    ),
  ),
  written: WrittenSchema,
  isWrittenCut: Flag('There were more paths than `written` contains'),
  stateReplaced: Flag(
    'A reset, a restored snapshot or a clock that was set back: everything read earlier may be wrong',
  ),
  health: Type.Optional(HealthView),
});

export interface Frame {
  readonly id: string;
  /** JSON. */
  readonly text: string;
  /** Where the next frame begins. */
  readonly end: Position;
}

export interface FrameSource {
  readonly store: Reader;
  readonly requests: RequestLog;
  readonly mode: string;
}

/** What happened between two positions. */
export async function frameBetween(source: FrameSource, from: Beginning, to: Position): Promise<Frame> {
  const { requests, written, isWrittenCut } = summarise(source.requests, from.number, to.number);
  const { changes, end } = await changesBetween(source.store, from, to);
  const tick = {
    now: isoTime(to.now),
    mode: source.mode,
    nextDue: optionalIso(to.nextDue),
    systemAt: isoTime(to.systemAt),
    requests,
    changes,
    ...(to.work && { work: { ...to.work, oldestDueAt: optionalIso(to.work.oldestDueAt) } }),
    written,
    ...(isWrittenCut && { isWrittenCut }),
    ...(isReplaced(from, to) && { stateReplaced: true }),
    ...(to.health && !areEqual(from.health, to.health) && { health: shortened(to.health) }),
  };
  return { id: idAt(source.requests, end), text: JSON.stringify(tick), end };
}

/** Records that cannot be read now, because the store does not answer, belong to the next frame. */
async function changesBetween(store: Reader, from: Beginning, to: Position) {
  if (from.change === to.change) return { changes: NO_CHANGES, end: to };
  try {
    // A lower number means that the records are those of another state, and all are new, as in the change feed.
    const after = from.change < to.change ? from.change : 0;
    return { changes: await readRecords(store, after, to.change), end: to };
  } catch {
    return { changes: NO_CHANGES, end: { ...to, change: from.change } };
  }
}

function shortened(health: Exclude<Position['health'], undefined>) {
  const { troubles, ...rest } = health;
  return troubles ? { ...rest, troubles: fitting(troubles, TROUBLES) } : rest;
}

const optionalIso = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at));
