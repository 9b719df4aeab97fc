import type { Json } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers, jsonMistake, parseJson } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { runTags, valueKey } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { Request } from '../request.ts';
import { recordRun } from './change.ts';
import { lockActiveRun, runIdIn } from './find.ts';
import { putTags } from './values.ts';

/** The models of a run are stored in a tag: a list in JSON, to which each call adds an entry. */
const HISTORY_TAG = 'mlflow.log-model.history';
/** Truncated JSON would be invalid, so a longer list is refused. */
const LONGEST_HISTORY = 64 * 1024;

const NEEDED = ['artifact_path', 'flavors', 'run_id', 'utc_time_created'] as const;

/** `runs/log-model`. */
export async function logModel(call: PlatformCall): Promise<void> {
  const { jar } = call;
  const request = Request.of(call);
  const id = runIdIn(request);
  const model = readModel(request.need('model_json'));
  await jar.store.transact(async (tx) => {
    const { run } = await lockActiveRun(tx, call, id);
    const before = (await tx.get(runTags, valueKey(run.workspaceId, run.id, HISTORY_TAG)))?.value.value;
    const value = JSON.stringify([...historyOf(before), model]);
    if (value.length > LONGEST_HISTORY)
      throw trackingErrors.INVALID_PARAMETER_VALUE({
        reason: `The models of the run ${run.id} take more than ${LONGEST_HISTORY} characters of the tag '${HISTORY_TAG}'.`,
      });
    await putTags(tx, jar, run, [{ name: HISTORY_TAG, value }]);
    await recordRun(tx, jar, 'log-model', run);
  });
}

function readModel(text: string): JsonMembers {
  const malformed = (why: string) => trackingErrors.INVALID_PARAMETER_VALUE({ reason: `Malformed model info. ${why}` });
  let model: unknown;
  try {
    model = parseJson(Buffer.from(text));
  } catch (error) {
    throw malformed(jsonMistake(error, "The field 'model_json'"));
  }
  if (!isObject(model)) throw malformed("The field 'model_json' must be a JSON object.");
  const missing = NEEDED.filter((name) => model[name] === undefined || model[name] === null);
  if (missing.length > 0)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `Model json is missing mandatory fields: {${missing.map((name) => `'${name}'`).join(', ')}}`,
    });
  return model as JsonMembers;
}

/** A client may have set the tag itself, to any text. */
function historyOf(text: string | undefined): readonly Json[] {
  if (text === undefined) return [];
  try {
    const history = parseJson(Buffer.from(text));
    return Array.isArray(history) ? history : [];
  } catch {
    return [];
  }
}
