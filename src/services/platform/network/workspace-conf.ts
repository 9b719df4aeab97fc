import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Store } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { workspaceConfs } from './collections.ts';
import { enforceLists } from './guard.ts';

const FLAG = /^(?:true|false)$/;
/** Empty: no maximum. */
const DAYS = /^\d{0,6}$/;

/** The known keys with their accepted values. All values are texts. */
const KEYS: Readonly<Record<string, RegExp>> = {
  enableIpAccessLists: FLAG,
  enableTokensConfig: FLAG,
  maxTokenLifetimeDays: DAYS,
  enableDeprecatedClusterNamedInitScripts: FLAG,
  enableDeprecatedGlobalInitScripts: FLAG,
  enableWorkspaceFilesystem: FLAG,
  enableProjectTypeInWorkspace: FLAG,
  enableResultsDownloading: FLAG,
  enableExportNotebook: FLAG,
  enableNotebookTableClipboard: FLAG,
  enableUploadDataUis: FLAG,
  enableWebTerminal: FLAG,
  enableDcs: FLAG,
  enableDbfsFileBrowser: FLAG,
  storeInteractiveNotebookResultsInCustomerAccount: FLAG,
};

const isKnown = (key: string): boolean => Object.hasOwn(KEYS, key);

const invalidKeys = (keys: readonly string[]) =>
  errors.BAD_REQUEST({ reason: `Invalid keys: ${JSON.stringify(keys.map((key) => key.slice(0, 100)).slice(0, 20))}` });

/** The value of a key, from the cache. Returns undefined if it is not set. */
export async function confValue(store: Store, workspaceId: string, key: string): Promise<string | undefined> {
  return (await store.cached(workspaceConfs, workspaceId))?.value.values[key];
}

async function readConf(call: PlatformCall) {
  const { keys } = call.query;
  if (typeof keys !== 'string' || keys === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'keys' });
  const asked = keys.split(',').map((key) => key.trim());
  const unknown = asked.filter((key) => !isKnown(key));
  if (unknown.length > 0) throw invalidKeys(unknown);
  const set = (await call.jar.store.get(workspaceConfs, workspaceIn(call).id))?.value.values ?? {};
  return ok(Object.fromEntries(asked.map((key) => [key, set[key] ?? null])));
}

async function changeConf(call: PlatformCall) {
  const { jar, body } = call;
  const { id } = workspaceIn(call);
  const changes = readChanges(body);
  await jar.store.transact(async (tx) => {
    const before = (await tx.get(workspaceConfs, id))?.value.values ?? {};
    const values = { ...before, ...changes };
    await tx.put(workspaceConfs, id, { values });
    if (values.enableIpAccessLists !== before.enableIpAccessLists)
      await enforceLists(tx, call, id, values.enableIpAccessLists === 'true');
    await tx.change({
      source: 'platform',
      kind: 'update',
      subject: `/${id}/workspace-conf`,
      outcome: 'Succeeded',
      at: jar.clock.now(),
      data: { changes },
    });
  });
  return noContent();
}

function readChanges(body: unknown): Readonly<Record<string, string>> {
  if (!isObject(body))
    throw errors.MALFORMED_REQUEST({ reason: 'Could not parse request object: the body must be an object.' });
  const entries = Object.entries(body);
  const unknown = entries.map(([key]) => key).filter((key) => !isKnown(key));
  if (unknown.length > 0) throw invalidKeys(unknown);
  const changes: Record<string, string> = {};
  for (const [key, value] of entries) {
    if (typeof value !== 'string')
      throw errors.MALFORMED_REQUEST({
        reason: `Could not parse request object: the field '${key}' must be a string.`,
      });
    if (!KEYS[key]?.test(value))
      throw errors.BAD_REQUEST({ reason: `The value '${value.slice(0, 100)}' is not valid for the key '${key}'.` });
    changes[key] = value;
  }
  return changes;
}

const PATH = '/workspace-conf';

export const WORKSPACE_CONF_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    operation: 'workspaceConf_getStatus',
    summary: 'Read settings of the workspace by key',
    needs: 'admin',
    code: routeCode([], { handle: readConf }),
  },
  {
    method: 'PATCH',
    path: PATH,
    operation: 'workspaceConf_setStatus',
    summary: 'Change settings of the workspace',
    needs: 'admin',
    code: routeCode([], { handle: changeConf }),
  },
];
