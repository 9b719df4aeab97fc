import type { AdvancedFilter, EventFilter } from '../definition.ts';
import type { GridEvent } from '../event.ts';
import { testOf } from './comparisons.ts';
import { EventView } from './event-view.ts';
import { keyPath } from './keys.ts';
import { operatorOf } from './operators.ts';
import { type Spelling, spellingOf } from './spelling.ts';
import { quoted, refusalOf } from './words.ts';

export interface CompiledFilter {
  readonly filter: EventFilter;
  matches(event: GridEvent): boolean;
  /** Describes the first condition that the event does not meet; undefined if it meets all. */
  refusal(event: GridEvent): string | undefined;
  /** Like `matches`, for many filters that share one view of the event. */
  accepts(view: EventView): boolean;
}

/** One condition; a filter needs all of them. */
interface Part {
  passes(view: EventView): boolean;
  /** Reason for an event that does not pass. */
  refusal(view: EventView): string;
}

/** Compiles a valid filter. `spoken` is the aliases of the provider prefix, or the `Spelling` made from them. */
export function compileFilter(filter: EventFilter, spoken: readonly string[] | Spelling = []): CompiledFilter {
  const spelling = 'forms' in spoken ? spoken : spellingOf(spoken);
  const onArrays = filter.enableAdvancedFilteringOnArrays === true;
  const parts = [
    ...typePart(filter, spelling),
    ...subjectParts(filter, spelling),
    ...(filter.advancedFilters ?? []).map((advanced) => advancedPart(advanced, onArrays, spelling)),
  ];
  const accepts = (view: EventView): boolean => parts.every((part) => part.passes(view));
  return {
    filter,
    accepts,
    matches: (event) => accepts(new EventView(event, spelling)),
    refusal(event) {
      const view = new EventView(event, spelling);
      return parts.find((part) => !part.passes(view))?.refusal(view);
    },
  };
}

function typePart({ includedEventTypes }: EventFilter, spelling: Spelling): Part[] {
  if (!includedEventTypes) return [];
  const included = new Set(includedEventTypes.flatMap(spelling.forms));
  return [
    {
      passes: ({ type }) => type.forms.some((form) => included.has(form)),
      refusal: ({ event }) => `the type ${quoted(event.type)} is not among the included event types`,
    },
  ];
}

function subjectParts(filter: EventFilter, spelling: Spelling): Part[] {
  const { subjectBeginsWith, subjectEndsWith, isSubjectCaseSensitive } = filter;
  const spell = isSubjectCaseSensitive ? spelling.exact : spelling.forms;
  const formsOf = ({ event, subject }: EventView): readonly string[] =>
    isSubjectCaseSensitive ? spelling.exact(event.subject) : subject.forms;
  const part = (operand: string, words: string, test: (text: string, operand: string) => boolean): Part[] => {
    if (operand === '') return [];
    const operands = spell(operand);
    return [
      {
        passes: (view) => formsOf(view).some((form) => operands.some((each) => test(form, each))),
        refusal: () => `the subject does not ${words} with ${quoted(operand)}`,
      },
    ];
  };
  return [
    ...part(subjectBeginsWith, 'begin', (text, operand) => text.startsWith(operand)),
    ...part(subjectEndsWith, 'end', (text, operand) => text.endsWith(operand)),
  ];
}

function advancedPart(filter: AdvancedFilter, onArrays: boolean, spelling: Spelling): Part {
  const operator = operatorOf(filter.operatorType)!;
  const { comparison, isNegative, ofAbsent } = operator;
  const path = keyPath(filter.key);
  const test = testOf(comparison, filter, spelling);
  const looksInside = onArrays && comparison !== 'exists';
  return {
    passes(view) {
      const found = view.at(path);
      if (found.value === undefined || found.value === null) return ofAbsent;
      // A value whose type differs from the operand's never compares; neither does an array, unless the filter looks inside arrays.
      const compares = looksInside && Array.isArray(found.value) ? found.items.some(test) : test(found);
      return compares !== isNegative;
    },
    refusal: (view) => refusalOf(filter, operator, view.at(path).value, onArrays),
  };
}
