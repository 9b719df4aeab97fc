import type { Reader } from '../../../../kernel/store/index.ts';
import { readPage } from '../../engine/paging.ts';
import type { PlatformCall } from '../../jar.ts';
import { metricPoints, type RunMetric, runMetrics, type TrackedRun, valueKey } from '../collections.ts';
import { checkLength, LONGEST_NAME } from '../names.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { findRun, runIdIn } from '../runs/find.ts';
import { metricView } from '../runs/view.ts';
import { pointOf } from './point-key.ts';

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

/** `metrics/get-history`: by time, step and value, which is the order of the keys. Each page begins where the last one ended, so all cost the same. */
export async function metricHistory(call: PlatformCall) {
  const { store } = call.jar;
  const request = Request.of(call);
  const id = runIdIn(request);
  const name = metricNameIn(request);
  const size = mostResults(request, PAGE);
  const { run } = await findRun(store, call, id, 'CAN_READ');
  const metric = await findMetric(store, run, name);
  if (!metric) return {};
  const { series } = metric;
  const { items, next } = await readPage(call, { collection: metricPoints, query: { prefix: series }, size });
  const metrics = items.map(({ key, value }) => metricView(name, pointOf(series, key), value.on));
  return { ...(metrics.length > 0 && { metrics }), ...(next !== undefined && { next_page_token: next }) };
}
