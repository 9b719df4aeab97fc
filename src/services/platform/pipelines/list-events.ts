import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import { allOf, eq, type Filter } from '../../../kernel/store/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { readTwoWayPage } from '../engine/two-way-paging.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { EVENT_LEVELS, pipelineEvents, pipelineKey } from './collections.ts';
import { badFilter, type FilterWord, filterWords } from './filter-words.ts';
import { findPipeline } from './find.ts';
import { orderIn, resultsIn, textIn } from './list.ts';
import { eventView } from './view.ts';

/** The event log of a pipeline. */

const COMPARISONS = { '=': 'eq', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' } as const;

const EXPECTED = "conditions are level='ERROR', level in ('ERROR', 'WARN'), id='…' and timestamp > '…', joined by AND";

/** Parses conditions joined by AND. */
function readFilter(filter: string): Filter | undefined {
  const words = filterWords(filter);
  const conditions: Filter[] = [];
  for (let at = 0; at < words.length; ) {
    if (conditions.length > 0) {
      if (words[at]?.is !== 'name' || words[at]?.value.toUpperCase() !== 'AND') throw badFilter(filter, EXPECTED);
      at++;
    }
    const { condition, next } = readCondition(filter, words, at);
    conditions.push(condition);
    at = next;
  }
  return conditions.length === 0 ? undefined : allOf(...conditions);
}

function readCondition(
  filter: string,
  words: readonly FilterWord[],
  at: number,
): { readonly condition: Filter; readonly next: number } {
  const [field, operator, value] = words.slice(at, at + 3);
  const name = field?.is === 'name' ? field.value.toLowerCase() : '';
  const sign = operator?.value.toLowerCase() ?? '';
  if (name === 'level' && sign === 'in') {
    const { values, next } = readList(filter, words, at + 2);
    return { condition: { op: 'in', field: 'level', values: values.map((each) => levelOf(filter, each)) }, next };
  }
  if (value?.is !== 'text' || !Object.hasOwn(COMPARISONS, sign)) throw badFilter(filter, EXPECTED);
  const next = at + 3;
  if (name === 'timestamp') {
    const time = Date.parse(value.value);
    if (!/^\d{4}-/.test(value.value) || Number.isNaN(time))
      throw badFilter(filter, `'${value.value.slice(0, 100)}' is no timestamp`);
    return { condition: { op: COMPARISONS[sign as keyof typeof COMPARISONS], field: 'at', value: time }, next };
  }
  if (sign !== '=') throw badFilter(filter, EXPECTED);
  if (name === 'level') return { condition: eq('level', levelOf(filter, value.value)), next };
  if (name === 'id') return { condition: eq('id', value.value), next };
  throw badFilter(filter, EXPECTED);
}

/** Parses `('ERROR', 'WARN')`. */
function readList(filter: string, words: readonly FilterWord[], start: number) {
  const values: string[] = [];
  if (words[start]?.value !== '(') throw badFilter(filter, EXPECTED);
  for (let at = start + 1; ; at += 2) {
    const [value, sign] = words.slice(at, at + 2);
    if (value?.is !== 'text') throw badFilter(filter, EXPECTED);
    values.push(value.value);
    if (sign?.is === 'sign' && sign.value === ')') return { values, next: at + 2 };
    if (sign?.is !== 'sign' || sign.value !== ',') throw badFilter(filter, EXPECTED);
  }
}

function levelOf(filter: string, text: string): string {
  const level = EVENT_LEVELS.find((each) => each === text.toUpperCase());
  if (level === undefined) throw badFilter(filter, `'${text.slice(0, 100)}' is no level`);
  return level;
}

/** Content of a page token: a request with a token has no other parameter than `max_results`. */
interface Place {
  readonly filter: string;
  readonly order: string;
  readonly token: string;
}

export async function listEvents(call: PlatformCall, id: string): Promise<object> {
  const { jar, query } = call;
  const pipeline = await findPipeline(call, id, 'CAN_VIEW');
  const key = pipelineKey(pipeline.workspaceId, pipeline.id);
  const list = JSON.stringify(['platform.pipeline_events', key]);
  const sent = textIn(query, 'page_token');
  const said = { filter: textIn(query, 'filter'), order: textIn(query, 'order_by'), token: '' };
  if (sent !== '' && (said.filter !== '' || said.order !== ''))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "The parameter 'page_token' can only be combined with 'max_results'.",
    });
  const place = sent === '' ? said : decodeSkipToken<Place>(jar.vault, list, sent);
  if (!place)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a page token of this list." });
  const { filter, order, token } = place;
  const { descending } = orderIn(order, ['timestamp'], 'timestamp desc');
  const { items, tokens } = await readTwoWayPage(call, {
    collection: pipelineEvents,
    // Numbers ascend with time, and order events of the same instant.
    query: { filter: allOf(eq('pipeline', key), readFilter(filter)), order: [{ field: 'number', descending }] },
    size: resultsIn(query, 100, 250),
    token,
  });
  const wrapped = (inner: string | undefined): string | undefined =>
    inner === undefined ? undefined : encodeSkipToken(jar.vault, list, { filter, order, token: inner } satisfies Place);
  return {
    events: items.map(({ value }) => eventView(value)),
    ...omitAbsent({
      next_page_token: wrapped(tokens.next_page_token),
      prev_page_token: wrapped(tokens.prev_page_token),
    }),
  };
}
