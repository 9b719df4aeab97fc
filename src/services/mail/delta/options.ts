import { compileFilter, compileOrder, refusing } from '../../../kernel/odata/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { codeOf, optionsOf } from '../api/show.ts';
import { errors } from '../errors.ts';
import { messageShape } from '../messages/shape.ts';

export const CHANGE_TYPES = ['created', 'updated', 'deleted'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Query options of the first call that a kind of delta may not support. */
export const DELTA_OPTIONS = [
  'select',
  'filter',
  'orderby',
  'expand',
  'search',
  'top',
  'skip',
  'count',
  'changetype',
  'enddatetime',
] as const;
type OptionName = (typeof DELTA_OPTIONS)[number];

/** Rejects query options that a kind of delta does not support. */
export function checkOptions({ query }: MailCall, resource: string, allowed: readonly OptionName[]): void {
  const refused = Object.keys(query).filter((written) => {
    const name = written.replace(/^\$/, '').toLowerCase();
    return (DELTA_OPTIONS as readonly string[]).includes(name) && !(allowed as readonly string[]).includes(name);
  });
  if (refused.length === 0) return;
  throw errors.ErrorInvalidUrlQuery(
    {
      reason: `The following parameters are not supported with change tracking over the '${resource}' resource: '${refused.join(', ').slice(0, 200)}'.`,
    },
    { target: refused[0] },
  );
}

/** Parses `changeType=created`, or several types separated by commas. The default is all. */
export function readChangeTypes({ query }: MailCall): ReadonlySet<ChangeType> {
  const given = Object.entries(query).find(([name]) => name.toLowerCase() === 'changetype')?.[1];
  if (given === undefined) return new Set(CHANGE_TYPES);
  const words = String(given)
    .split(',')
    .map((word) => word.trim().toLowerCase());
  const wrong = words.find((word) => !(CHANGE_TYPES as readonly string[]).includes(word));
  if (wrong === undefined) return new Set(words as ChangeType[]);
  const reason = `The value '${wrong.slice(0, 50)}' of 'changeType' is not one of ${CHANGE_TYPES.join(', ')}.`;
  throw errors.ErrorInvalidUrlQuery({ reason }, { target: 'changeType' });
}

const ONLY_RECEIVED =
  "Delta of messages can be filtered only by 'receivedDateTime ge' or 'receivedDateTime gt' a time.";

/** Parses the only supported filter; undefined without a filter. */
export function readReceivedFilter(call: MailCall): Promise<Filter | undefined> {
  const { filter } = optionsOf(call);
  return refusing(() => {
    if (filter === undefined) return undefined;
    const { filter: asked, residual } = compileFilter(messageShape, filter, call.receivedAt);
    const isFit = (asked?.op === 'ge' || asked?.op === 'gt') && asked.field === 'receivedAt' && !residual;
    if (isFit) return asked;
    throw errors.ErrorInvalidUrlQueryFilter({ reason: ONLY_RECEIVED }, { target: '$filter' });
  }, codeOf);
}

/** `receivedDateTime desc` is the only supported order. */
export function readReceivedOrder(call: MailCall): Promise<boolean> {
  const { orderBy } = optionsOf(call);
  return refusing(() => {
    if (orderBy === undefined) return false;
    const [first, ...others] = compileOrder(messageShape, orderBy);
    if (first?.field === 'receivedAt' && first.descending && others.length === 0) return true;
    const reason = "Delta of messages can be ordered only by 'receivedDateTime desc'.";
    throw errors.ErrorInvalidUrlQuery({ reason }, { target: '$orderby' });
  }, codeOf);
}

const MOST_ON_A_PAGE = 1000;

/** `Prefer: odata.maxpagesize` of this call, otherwise `$top` of the first call. */
export function pageSizeOf(call: MailCall, usual: number): number {
  const { top } = optionsOf(call);
  return Math.max(1, Math.min(call.prefer.pageSize ?? top ?? usual, MOST_ON_A_PAGE));
}
