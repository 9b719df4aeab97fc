import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { retentions } from './collections.ts';
import { RETENTION_DAYS, retentionDays, wakeRetentionAt } from './retention-due.ts';
import { lockReports } from './write.ts';

const Settings = Type.Object({ retention_in_days: Type.Enum([...RETENTION_DAYS]) });

export const getRetentionSettings = routeCode([], {
  responses: { 200: Settings },
  handle: async (call) => ok({ retention_in_days: await retentionDays(call.jar.store, appOf(call).id) }),
});

/** Reports that are expired under the new setting are deleted at once. */
export const putRetentionSettings = routeCode([], {
  body: Settings,
  responses: { 200: Settings },
  async handle(call) {
    const { id: appId } = appOf(call);
    const { retention_in_days: days } = call.body;
    await call.jar.store.transact(async (tx) => {
      await lockReports(tx, appId);
      await tx.put(retentions, appId, { days });
      await wakeRetentionAt(tx, appId, call.jar.clock.now());
      await tx.change({
        source: 'lifecycle',
        kind: 'write',
        subject: `lifecycle/apps/${appId}/errors/retention_settings`,
        outcome: 'Succeeded',
        at: call.receivedAt,
        data: { retentionInDays: days },
      });
    });
    return ok({ retention_in_days: days });
  },
});
