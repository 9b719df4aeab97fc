import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { blockedLogs, deviceKey, GUID } from './collections.ts';

export const blockApp = routeCode([], {
  responses: { 200: 'From now on logs of the app are accepted and discarded' },
  async handle(call) {
    const { id } = appOf(call);
    await block(call.jar, id, `lifecycle/apps/${id}/logs`);
    return ok({});
  },
});

export const blockDevice = routeCode(['install_id'], {
  responses: { 200: 'From now on logs of the device are accepted and discarded' },
  async handle(call) {
    const { id } = appOf(call);
    const installId = call.params.install_id.toLowerCase();
    if (!GUID.test(installId)) throw errors.BadRequest({ reason: "The 'install_id' must be a GUID." });
    await block(call.jar, deviceKey(id, installId), `lifecycle/apps/${id}/devices/${installId}`);
    return ok({});
  },
});

async function block({ store, clock }: Jar, key: string, subject: string): Promise<void> {
  const at = clock.now();
  await store.transact(async (tx) => {
    if (await tx.get(blockedLogs, key)) return;
    await tx.put(blockedLogs, key, { blockedAt: new Date(at).toISOString() });
    await tx.change({
      source: 'lifecycle',
      kind: 'action',
      subject,
      outcome: 'Succeeded',
      at,
      data: { action: 'block_logs' },
    });
  });
}

export async function isBlocked({ store }: Jar, appId: string, installId: string): Promise<boolean> {
  return (
    (await store.cached(blockedLogs, appId)) !== undefined ||
    (await store.cached(blockedLogs, deviceKey(appId, installId))) !== undefined
  );
}
