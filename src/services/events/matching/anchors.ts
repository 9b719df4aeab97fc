import type { AdvancedFilter, EventFilter } from '../definition.ts';
import { type Equal, equalsOperands, textOperands } from './comparisons.ts';
import type { EventView, Found } from './event-view.ts';
import { keyPath, tokenOf } from './keys.ts';
import { operatorOf } from './operators.ts';
import type { Spelling } from './spelling.ts';

/** A condition that a table can answer: an event that a filter matches has one of these values (or affixes) in that place. */
export interface Anchor {
  /** Names the place: anchors of the same one share a table. */
  readonly place: string;
  of(view: EventView): Found;
  /** A name that the event must have for there to be anything; absent where every event has something. */
  readonly token?: string;
  readonly comparison: 'equals' | 'begins' | 'ends';
  readonly operands: readonly Equal[];
}

const SUBJECT = { place: 'subject', of: (view: EventView): Found => view.subject };

/** All that a filter has; any one of them would do to find it by. */
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
