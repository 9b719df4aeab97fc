import { jsonMistake, parseJson } from '../../../../kernel/values/index.ts';
import { errors, malformedJson } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { trackingErrors } from '../errors.ts';
import { addMetrics, readMetrics } from '../metrics/log.ts';
import { Request } from '../request.ts';
import { recordRun } from './change.ts';
import { lockActiveRun, runIdIn } from './find.ts';
import { renameByTags } from './rename.ts';
import { addParams, checkDuplicates, putTags, readParam, readTag } from './values.ts';

const MOST_BYTES = 1_000_000;
/** Maximum body length that is read, so that the error can state the size. */
export const BATCH_BODY_BYTES = 4 * 1024 * 1024;

const MOST_METRICS = 1000;
const MOST_PARAMS = 100;
const MOST_TAGS = 100;
const MOST_TOGETHER = 1000;

/**
 * `runs/log-batch`: metrics, parameters and tags together. A batch is stored as a whole or not at all. The body is received as bytes, since
 * its size is validated first.
 */
export async function logBatch(call: PlatformCall): Promise<void> {
  const request = Request.ofBody(bodyOf(call));
  const id = runIdIn(request);
  const metrics = request.value('metrics');
  const metricCount = Array.isArray(metrics) ? metrics.length : 0;
  const params = request.list('params');
  const tags = request.list('tags');
  checkCount(metricCount, MOST_METRICS, 'metrics');
  checkCount(params.length, MOST_PARAMS, 'params');
  checkCount(tags.length, MOST_TAGS, 'tags');
  checkCount(metricCount + params.length + tags.length, MOST_TOGETHER, 'metrics, params, and tags');
  const batch = { metrics: readMetrics(request), params: params.map(readParam), tags: tags.map(readTag) };
  checkDuplicates(batch.params);
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { run } = await lockActiveRun(tx, call, id);
    await addParams(tx, jar, run, batch.params);
    await addMetrics(tx, jar, run, batch.metrics);
    await putTags(tx, jar, run, batch.tags);
    await renameByTags(tx, run, batch.tags);
    await recordRun(tx, jar, 'log-batch', run);
  });
}

function bodyOf({ body }: PlatformCall): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length > MOST_BYTES)
    throw trackingErrors.INVALID_PARAMETER_VALUE__BatchSize({ most: MOST_BYTES, size: bytes.length });
  if (bytes.length === 0) return undefined;
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw errors.MALFORMED_REQUEST({ reason: malformedJson(jsonMistake(cause)) }, { cause });
  }
}

function checkCount(count: number, most: number, entity: string): void {
  if (count > most) throw trackingErrors.INVALID_PARAMETER_VALUE__BatchCount({ most, entity, count });
}
