import type { Static } from 'typebox';
import type { WorkStats } from '../../kernel/store/index.ts';
import type { RequestLog } from '../../kernel/telemetry/index.ts';
import type { HealthView } from '../health.ts';
import { liveErrors } from './errors.ts';

/** What a client has seen: the frame after it begins here. */
export interface Beginning {
  /** The number of the first entry of the request log that was not seen. */
  readonly number: number;
  /** The number of the last change record that was seen. */
  readonly change: number;
  /** The clock's epoch, and how often state was replaced on this node. */
  readonly epoch: number;
  readonly replacements: number;
  /** The jar's time. */
  readonly now: number;
  /** Undefined if the client must be told. */
  readonly health: Static<typeof HealthView> | undefined;
}

/** The state of the jar at the end of a frame. */
export interface Position extends Beginning {
  /** Increases with every position that was read. */
  readonly serial: number;
  readonly systemAt: number;
  /** How often the clock was moved since the hub began. */
  readonly moves: number;
  readonly nextDue: number | undefined;
  /** Undefined as long as the store has not answered. */
  readonly work: WorkStats | undefined;
}

export function idAt({ run }: RequestLog, { number, change, epoch, replacements, now }: Beginning): string {
  return [run, number, change, epoch, replacements, Math.floor(now)].join('.');
}

const ID = /^([0-9a-z]{1,12})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(-?\d{1,15})\.(-?\d{1,16})$/;

/** To a client of another process of the jar, all requests of this process are new, and the state may be another. */
export function readId(log: RequestLog, id: string): Beginning {
  const [, run, ...rest] = ID.exec(id) ?? [];
  if (run === undefined) throw liveErrors.BadEventId({ id: id.slice(0, 60) });
  const [number = 0, change = 0, epoch = 0, replacements = 0, now = 0] = rest.map(Number);
  const seen = { change, epoch, now, health: undefined };
  return run === log.run
    ? { ...seen, number: Math.min(number, log.next), replacements }
    : { ...seen, number: 1, replacements: NEVER };
}

/** Differs from every number of replacements. */
const NEVER = -1;

/** By less than this, the system's clock is corrected. */
const CORRECTION_MS = 1_000;

/** Whether what was seen may exist no more: after a reset, a restored snapshot, or if the clock was set back. */
export const isReplaced = (from: Beginning, to: Beginning): boolean =>
  from.epoch !== to.epoch || from.replacements !== to.replacements || to.now < from.now - CORRECTION_MS;

/** Whether a client that has seen one position has to be notified about the other. */
export function isNews(from: Position, to: Position): boolean {
  return (
    from.number !== to.number ||
    from.change !== to.change ||
    from.moves !== to.moves ||
    from.nextDue !== to.nextDue ||
    isReplaced(from, to) ||
    !areEqual(from.work, to.work) ||
    !areEqual(from.health, to.health)
  );
}

export const areEqual = (a: object | undefined, b: object | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
