import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../jar.ts';
import type { TrackedRun } from '../collections.ts';
import { addMetrics, readMetric } from '../metrics/log.ts';
import { checkLength, LONGEST_NAME } from '../names.ts';
import { Request } from '../request.ts';
import { recordRun } from './change.ts';
import { lockActiveRun, runIdIn } from './find.ts';
import { renameByTags } from './rename.ts';
import { addParams, putTags, readParam, readTag, removeTag } from './values.ts';

/** Operations that log a single value to a run. */

/** Parses the request before the run is locked. */
const logging =
  <Sent>(
    kind: string,
    read: (request: Request) => Sent,
    write: (tx: Tx, call: PlatformCall, run: TrackedRun, sent: Sent) => Promise<unknown>,
  ) =>
  async (call: PlatformCall): Promise<void> => {
    const request = Request.of(call);
    const id = runIdIn(request);
    const sent = read(request);
    await call.jar.store.transact(async (tx) => {
      const { run } = await lockActiveRun(tx, call, id);
      await write(tx, call, run, sent);
      await recordRun(tx, call.jar, kind, run);
    });
  };

/** `runs/log-metric`. */
export const logMetric = logging('log-metric', readMetric, (tx, { jar }, run, metric) =>
  addMetrics(tx, jar, run, [metric]),
);

/** `runs/log-parameter`. */
export const logParam = logging('log-parameter', readParam, (tx, { jar }, run, param) =>
  addParams(tx, jar, run, [param]),
);

/** `runs/set-tag`. */
export const setTag = logging('set-tag', readTag, async (tx, { jar }, run, tag) => {
  await putTags(tx, jar, run, [tag]);
  await renameByTags(tx, run, [tag]);
});

function readTagName(request: Request): string {
  const name = request.need('key');
  checkLength(name, request.path('key'), LONGEST_NAME);
  return name;
}

/** `runs/delete-tag`. */
export const deleteTag = logging('delete-tag', readTagName, (tx, { jar }, run, name) => removeTag(tx, jar, run, name));
