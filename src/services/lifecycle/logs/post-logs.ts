import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { type App, apps } from '../collections.ts';
import { type LifecycleJar, routeCode } from '../jar.ts';
import { acceptDelivery } from './accept-delivery.ts';
import { isBlocked } from './block.ts';
import { GUID } from './collections.ts';
import { logErrors } from './errors.ts';
import { readContainer } from './read-container.ts';
import { readLog } from './read-log.ts';
import type { AppLog } from './types.ts';

const Taken = Type.Object({
  status: Type.String(),
  validDiagnosticsIds: Type.Array(Type.String()),
  throttledDiagnosticsIds: Type.Array(Type.String()),
  correlationId: Type.String(),
});

const Container = Type.Object({
  logs: Type.Array(Type.Object({ type: Type.String(), device: Type.Object({}) }, { additionalProperties: true })),
});

/** Responds after all effects of the logs are committed. A device with blocked logs gets the same response. */
export const postLogs = routeCode([], {
  jsonInBytes: Container,
  responses: { 200: Taken },
  async admit({ jar, headers, facts }) {
    facts.sender = await appOfSecret(jar, headers['app-secret']);
    deviceOf(headers['install-id']);
  },
  async handle(call) {
    const { jar, headers, correlationId, receivedAt } = call;
    const { sender: app } = call.facts;
    if (!app) throw new Error('the call has no app: the step that admits apps has not run');
    const device = deviceOf(headers['install-id']);
    const logs = readLogs(jar, await readContainer(call), receivedAt);
    const taken = { status: 'Success', validDiagnosticsIds: [], throttledDiagnosticsIds: [], correlationId };
    if (logs.length === 0 || (await isBlocked(jar, app.id, device))) return ok(taken);
    const { validIds, throttledIds } = await acceptDelivery(jar, { app, installId: device, receivedAt, logs });
    return ok({ ...taken, validDiagnosticsIds: validIds, throttledDiagnosticsIds: throttledIds });
  },
});

function deviceOf(installId: unknown): string {
  if (typeof installId !== 'string' || !GUID.test(installId)) throw logErrors.InvalidInstallId();
  return installId.toLowerCase();
}

async function appOfSecret({ store }: Jar, secret: unknown): Promise<App> {
  if (typeof secret !== 'string' || !GUID.test(secret)) throw logErrors.AppSecretDenied();
  const filter = { op: 'eq', field: 'secret', value: secret.toLowerCase() } as const;
  const { items } = await store.query(apps, { filter, limit: 1 });
  if (!items[0]) throw logErrors.AppSecretDenied();
  return items[0].value;
}

/** The valid logs. An invalid log does not reject the others, as long as at least one is valid. */
function readLogs({ ignoredLogs }: LifecycleJar, sent: readonly unknown[], receivedAt: number): AppLog[] {
  const logs: AppLog[] = [];
  let unknown = 0;
  let problem = 'there are none.';
  for (const each of sent) {
    const read = readLog(each, receivedAt);
    if ('content' in read) logs.push(read);
    else if (read.unknownType !== undefined) unknown++;
    else problem = `${read.problem}.`;
  }
  const ignored = sent.length - logs.length;
  if (ignored > 0) ignoredLogs.inc(ignored);
  if (logs.length === 0 && unknown === 0) throw logErrors.NoValidLogsFoundInLogContainer({ reason: problem });
  return logs;
}
