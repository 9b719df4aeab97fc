import type { GridEvent } from '../event.ts';
import type { Mistakes } from './mistakes.ts';
import type { Plan } from './plan.ts';

/** State of reading one request. */
export interface Reading {
  readonly plan: Plan;
  readonly mistakes: Mistakes;
  /** Aliases of the canonical provider prefix. */
  readonly aliases: readonly string[];
  /** By the jar's clock; time of events that are sent without one. */
  readonly now: number;
  readonly events: GridEvent[];
  /** For a domain: the topic of each event. */
  readonly topicNames: string[];
}

/** `[3].eventType`; for a single event, only the field. */
export const fieldAt = (at: string, field: string): string => (at === '' ? field : `${at}.${field}`);
