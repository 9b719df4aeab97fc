import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import type { Reader } from '../../../../kernel/store/index.ts';
import { nextTurn } from '../../../../kernel/time/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { type RunMetric, runMetrics, type TrackedRun, valueKey } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { checkLength, LONGEST_NAME } from '../names.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { findRun, runIdIn } from '../runs/find.ts';
import { metricView } from '../runs/view.ts';
import { orderOf, type Point } from './points.ts';
import { pointsAfter } from './segments.ts';

const PAGE = { usual: 25_000, most: 25_000 };

export function metricNameIn(request: Request): string {
  const name = request.need('metric_key');
  checkLength(name, request.path('metric_key'), LONGEST_NAME);
  return name;
}

export const findMetric = async (
  reader: Reader,
  { workspaceId, id }: TrackedRun,
  name: string,
): Promise<RunMetric | undefined> => (await reader.get(runMetrics, valueKey(workspaceId, id, name)))?.value;

const TOKENS = 'platform.metric-history';

/** The position in the page token, which is bound to the series. */
function placeIn({ jar }: PlatformCall, request: Request, series: string): string | undefined {
  const token = request.text('page_token') || undefined;
  if (token === undefined) return undefined;
  const place = decodeSkipToken<readonly [string]>(jar.vault, `${TOKENS}/${series}`, token);
  if (!place) throw trackingErrors.INVALID_PARAMETER_VALUE__PageToken();
  return place[0];
}

/** `metrics/get-history`: ordered by time, step and value. Each page starts where the previous one ended, so all pages cost the same. */
export async function metricHistory(call: PlatformCall) {
  const { store, vault } = call.jar;
  const request = Request.of(call);
  const id = runIdIn(request);
  const name = metricNameIn(request);
  const size = mostResults(request, PAGE);
  const { run } = await findRun(store, call, id, 'CAN_READ');
  const metric = await findMetric(store, run, name);
  if (!metric) {
    if (request.text('page_token')) throw trackingErrors.INVALID_PARAMETER_VALUE__PageToken();
    return {};
  }
  const { series } = metric;
  const points: Point[] = [];
  for await (const part of pointsAfter(store, series, placeIn(call, request, series))) {
    for (const point of part) points.push(point);
    if (points.length > size) break;
    await new Promise<void>(nextTurn);
  }
  const page = points.slice(0, size);
  const last = points.length > size ? page.at(-1) : undefined;
  return {
    ...(page.length > 0 && { metrics: page.map((point) => metricView(name, point)) }),
    ...(last && { next_page_token: encodeSkipToken(vault, `${TOKENS}/${series}`, [orderOf(last)]) }),
  };
}
