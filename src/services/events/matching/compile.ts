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
  /** Which part of the filter an event does not pass, in words; undefined when it passes all. */
  refusal(event: GridEvent): string | undefined;
  /** `matches`, for one of many filters that look at the same event. */
  accepts(view: EventView): boolean;
}

/** One condition out of all that have to hold. */
interface Part {
  passes(view: EventView): boolean;
  /** Of an event that does not pass. */
  refusal(view: EventView): string;
}

/** Of a filter without mistakes. `spoken` is how the jar spells provider prefixes: its aliases, or what was made of them. */
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
      // Whatever has another type than the operand compares with nothing, an array too unless the filter looks into it.
      const compares = looksInside && Array.isArray(found.value) ? found.items.some(test) : test(found);
      return compares !== isNegative;
    },
    refusal: (view) => refusalOf(filter, operator, view.at(path).value, onArrays),
  };
}
