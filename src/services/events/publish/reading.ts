import type { GridEvent } from '../event.ts';
import type { Mistakes } from './mistakes.ts';
import type { Plan } from './plan.ts';

/** A request on its way to events. */
export interface Reading {
  readonly plan: Plan;
  readonly mistakes: Mistakes;
  /** Provider prefixes that mean the same as the canonical one. */
  readonly aliases: readonly string[];
  /** By the jar's clock, for events that have no time of their own. */
  readonly now: number;
  readonly events: GridEvent[];
  /** For a domain: what each event is for. */
  readonly topicNames: string[];
}

/** `[3].eventType`; of a single event, only the field. */
export const fieldAt = (at: string, field: string): string => (at === '' ? field : `${at}.${field}`);
