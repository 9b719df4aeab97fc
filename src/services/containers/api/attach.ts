import { mutate } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';
import { SessionSchema } from './exec.ts';
import { CONTAINER_PARAMS, findContainer, runningTarget } from './find-container.ts';
import { openSession } from './sessions.ts';

export const attach = armCode(CONTAINER_PARAMS, {
  responses: { 200: SessionSchema },
  async handle(call, arm) {
    const found = await findContainer(call, arm);
    const target = runningTarget(found);
    const session = { kind: 'attach', key: found.key, ...target, command: '', rows: 0, cols: 0 } as const;
    return ok(await mutate(call, (tx) => openSession(tx, call, session)));
  },
});
