import type { FunctionLibrary } from '../../../../kernel/store/index.ts';
import { ARITHMETIC } from './library/arithmetic.ts';
import { DATE_TEXT } from './library/date-text.ts';
import { DATES } from './library/dates.ts';
import { DOMAINS } from './library/domains.ts';
import { FAILURES } from './library/failures.ts';
import { FORMAT } from './library/format.ts';
import { FORMAT_DATE } from './library/format-date.ts';
import { FORMAT_KINDS } from './library/format-kinds.ts';
import { FORMAT_NUMBER } from './library/format-number.ts';
import { INTEGERS } from './library/integers.ts';
import { NUMBER_TEXT } from './library/number-text.ts';
import type { LibraryPart } from './library/part.ts';
import { PERIODS } from './library/periods.ts';
import { ROUNDING } from './library/rounding.ts';
import { SEARCH } from './library/search.ts';
import { TEXT_CONVERSIONS } from './library/text-conversions.ts';
import { TEXTS } from './library/texts.ts';
import { VARIANTS } from './library/variants.ts';

/** Ordered so that each part calls only earlier ones. */
const PARTS: readonly LibraryPart[] = [
  FAILURES,
  TEXTS,
  NUMBER_TEXT,
  DATES,
  DATE_TEXT,
  TEXT_CONVERSIONS,
  ARITHMETIC,
  ROUNDING,
  INTEGERS,
  DOMAINS,
  PERIODS,
  SEARCH,
  VARIANTS,
  FORMAT_KINDS,
  FORMAT_NUMBER,
  FORMAT_DATE,
  FORMAT,
];

/**
 * The functions that compiled queries call. On both engines they return the same results for the same arguments and fail with the same
 * messages. If several arguments are invalid, the engine decides which of them is reported.
 */
export const SCALAR_LIBRARY: FunctionLibrary = {
  name: 'dax',
  functions: Object.assign({}, ...PARTS.map(({ functions }) => functions)),
  postgres: PARTS.flatMap(({ postgres }) => postgres).join('\n'),
};
