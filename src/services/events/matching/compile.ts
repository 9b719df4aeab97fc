import type { EventFilter } from '../definition.ts';
import type { GridEvent } from '../event.ts';

export interface CompiledFilter {
  matches(event: GridEvent): boolean;
  /** Which part of the filter an event does not pass, in words; undefined when it passes all. */
  refusal(event: GridEvent): string | undefined;
}

export function compileFilter(_filter: EventFilter): CompiledFilter {
  throw new Error('not there yet');
}
