import type { operations } from '../../shared/api/control.ts';
import { counted, percent } from '../../shared/format/numbers.ts';
import { longSpan } from '../../shared/format/times.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Rule = RowOf<'/_jar/faults'>;
/** A rule that is being written: what `POST /_jar/faults` takes. */
export type RuleDraft = operations['Jar_AddFault']['requestBody']['content']['application/json'];
export type Match = NonNullable<RuleDraft['match']>;
export type Effect = RuleDraft['effect'];

/** Which requests a rule is about, in one line: `PUT /subscriptions*`. */
export function whichOf({ match = {} }: Pick<RuleDraft, 'match'>): string {
  const { direction, service, method, path, query, headers } = match;
  const conditions = [query && 'query', headers && 'headers'].filter(Boolean).join(' and ');
  const parts = [method, path, conditions && `by ${conditions}`].filter(Boolean).join(' ');
  const things = direction === 'outbound' ? 'message' : 'request';
  if (parts !== '') return direction === 'outbound' ? `${parts} (sent)` : parts;
  return service === undefined ? `Every ${things}` : `Every ${things} of ${service}`;
}

/** What happens to them, in one line: `429 after 3 s`. */
export function effectOf({ effect }: Pick<RuleDraft, 'effect'>): string {
  const { status, headers, throttledAs500, latencyMs, drop, dropAnswer, slowBodyMs, cutBodyAfter } = effect;
  const { duplicate, outOfOrder, afterDelete } = effect;
  const parts = [
    status !== undefined && `answers ${status}`,
    throttledAs500 && 'answers 500 that says 429',
    drop && 'cuts the connection',
    dropAnswer && 'loses the answer',
    duplicate && 'sends twice',
    outOfOrder && 'sends out of order',
    afterDelete && 'sends after the deletion',
    slowBodyMs !== undefined && `sends the body slowly (${longSpan(slowBodyMs)} a piece)`,
    cutBodyAfter !== undefined && `cuts the body after ${counted(cutBodyAfter, 'byte')}`,
    status === undefined && headers !== undefined && 'adds headers',
    latencyMs !== undefined && `waits ${longSpan(latencyMs)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** How often, in one line: `the first 3`. */
export function oftenOf({ count, nth, every, share }: RuleDraft): string {
  if (nth !== undefined) return `only the ${ordinal(nth)} match`;
  const which = [
    every !== undefined && every > 1 && `every ${ordinal(every)} match`,
    share !== undefined && `${percent(share)} of them`,
    count !== undefined && (every === undefined && share === undefined ? `the first ${count}` : `at most ${count}`),
  ].filter(Boolean);
  return which.length === 0 ? 'always' : which.join(', ');
}

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

const ordinal = (value: number): string => `${value}${SUFFIXES[ordinals.select(value)]}`;

/** What can be sent again as a new rule. */
export function draftOf({ match, effect, count, nth, every, share, seed }: Rule): RuleDraft {
  return present({ match, effect, count, nth, every, share, seed }) as RuleDraft;
}

/** Without the members that are undefined. */
export const present = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
