import type { AdvancedFilter, EventFilter } from '../definition.ts';
import { type Equal, equalsOperands, textOperands } from './comparisons.ts';
import type { EventView, Found } from './event-view.ts';
import { keyPath, tokenOf } from './keys.ts';
import { operatorOf } from './operators.ts';
import type { Spelling } from './spelling.ts';

/** A condition that a hash table can answer: every event that matches the filter has one of these values (or affixes) at that place. */
export interface Anchor {
  /** Identifies the place; anchors of one place share a table. */
  readonly place: string;
  of(view: EventView): Found;
  /** A name that an event must have for the place to exist; absent if every event has the place. */
  readonly token?: string;
  readonly comparison: 'equals' | 'begins' | 'ends';
  readonly operands: readonly Equal[];
}

const SUBJECT = { place: 'subject', of: (view: EventView): Found => view.subject };

/** All anchors of a filter; any single one suffices to find the filter. */
export function anchorsOf(filter: EventFilter, spelling: Spelling): Anchor[] {
  const { subjectBeginsWith, subjectEndsWith, advancedFilters = [] } = filter;
  return [
    ...advancedFilters.flatMap((advanced) => advancedAnchor(advanced, spelling)),
    ...(subjectBeginsWith === ''
      ? []
      : [{ ...SUBJECT, comparison: 'begins' as const, operands: spelling.forms(subjectBeginsWith) }]),
    ...(subjectEndsWith === ''
      ? []
      : [{ ...SUBJECT, comparison: 'ends' as const, operands: spelling.forms(subjectEndsWith) }]),
  ];
}

function advancedAnchor(filter: AdvancedFilter, spelling: Spelling): Anchor[] {
  const { comparison, isNegative } = operatorOf(filter.operatorType)!;
  if (isNegative || (comparison !== 'equals' && comparison !== 'begins' && comparison !== 'ends')) return [];
  const path = keyPath(filter.key);
  const operands = comparison === 'equals' ? equalsOperands(filter, spelling) : textOperands(filter, spelling);
  return [{ place: `key ${filter.key}`, of: (view) => view.at(path), token: tokenOf(path), comparison, operands }];
}
