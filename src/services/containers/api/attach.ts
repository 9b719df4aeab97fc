import { mutate } from '../../../kernel/arm/changes.ts';
import { armRoute } from '../../../kernel/arm/route.ts';
import { ok } from '../../../kernel/http/route.ts';
import { SessionSchema } from './exec.ts';
import { CONTAINER_PATH, findContainer, runningTarget } from './find-container.ts';
import { openSession } from './sessions.ts';
import { API_VERSIONS, CONTAINER_GROUP_TYPE as TYPE } from './versions.ts';

export const attachRoute = armRoute({
  method: 'POST',
  path: `${CONTAINER_PATH}/attach`,
  operation: 'Containers_Attach',
  summary: 'A WebSocket to the output of a running container from now on, and to its input',
  action: `${TYPE}/containers/attach/action`,
  resourceType: TYPE,
  apiVersions: API_VERSIONS,
  responses: { 200: SessionSchema },
  async handle(call, arm) {
    const found = await findContainer(call, arm);
    const target = runningTarget(found);
    const session = { kind: 'attach', key: found.key, ...target, command: '', rows: 0, cols: 0 } as const;
    return ok(await mutate(call, (tx) => openSession(tx, call, session)));
  },
});
