import { Type } from 'typebox';
import { EngineUnavailable, KEPT_LOG_BYTES, lastLines } from '../../../kernel/engines/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { keptLogs } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import { armCode, type ContainersJar } from '../jar.ts';
import { refuseWhileTransitioning } from '../runtime/transitions.ts';
import { CONTAINER_PARAMS, type FoundContainer, findContainer } from './find-container.ts';

/** For a container that still exists; less is kept of a stopped one (`KEPT_LOG_BYTES`). */
const LONGEST_LOG_BYTES = 4 * 1024 * 1024;
const INT32_MAX = 2_147_483_647;

interface Wanted {
  readonly tail?: number;
  readonly timestamps: boolean;
}

export const logs = armCode(CONTAINER_PARAMS, {
  query: Type.Object({
    tail: Type.Optional(Type.Integer({ minimum: 0, maximum: INT32_MAX })),
    timestamps: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Type.Object({ content: Type.String() }) },
  async handle(call, arm) {
    const found = await findContainer(call, arm);
    refuseWhileTransitioning(found.group.name, found.runtime);
    const { tail, timestamps = false } = call.query;
    const bytes = await read(call.jar, found, { ...(tail !== undefined && { tail }), timestamps });
    if (!bytes) throw containerErrors.ContainerLogNotAvailable({ container: found.name });
    return ok({ content: textOf(bytes) });
  },
});

async function read(jar: ContainersJar, found: FoundContainer, wanted: Wanted): Promise<Buffer | undefined> {
  const { runtime, name, status } = found;
  if (!status || status.run === 0) return undefined;
  if (status.engineId === undefined) return kept(jar, found, wanted);
  const target = { uid: runtime.uid, container: name, engineId: status.engineId };
  try {
    return await jar.engine.logs(target, { ...wanted, maxBytes: LONGEST_LOG_BYTES });
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    const end = await kept(jar, found, wanted);
    if (end) return end;
    throw containerErrors.ContainerEngineUnavailable({ reason: error.message }, { cause: error });
  }
}

async function kept(jar: Jar, { runtime, name }: FoundContainer, { tail }: Wanted): Promise<Buffer | undefined> {
  const stored = await jar.store.get(keptLogs, `${runtime.uid}/${name}`);
  if (!stored) return undefined;
  return lastLines(Buffer.from(stored.value.content, 'base64'), tail);
}

/** Valid text whatever bytes a container wrote. A character that was cut at the start of a truncated log is left out. */
function textOf(bytes: Buffer): string {
  let from = 0;
  if (bytes.length >= KEPT_LOG_BYTES) while (from < 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.toString('utf8', from);
}
