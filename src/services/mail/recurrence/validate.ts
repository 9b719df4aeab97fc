import type { Wall, ZonedTime } from '../zones/wall.ts';
import type { PatternedRecurrence, RecurrencePattern } from './types.ts';

export interface RecurrenceMistake {
  readonly code: string;
  readonly message: string;
  /** Path below the event: `recurrence/pattern/interval`. */
  readonly target: string;
}

export interface RecurringEvent {
  readonly start: ZonedTime;
  /** The name that the client gave the zone of `start`. */
  readonly zoneName: string;
  readonly duration: number;
  readonly isAllDay: boolean;
}

/** `first` is the start of the first occurrence, in the zone of the recurrence: the start that the series gets. */
export type ValidatedRecurrence =
  | { readonly recurrence: PatternedRecurrence; readonly first: ZonedTime }
  | { readonly mistake: RecurrenceMistake };

export declare const validateRecurrence: (value: unknown, event: RecurringEvent) => ValidatedRecurrence;
/** The first day on or after `startDay` that the pattern has an occurrence on. */
export declare const firstOccurrence: (pattern: RecurrencePattern, startDay: Wall) => Wall;
