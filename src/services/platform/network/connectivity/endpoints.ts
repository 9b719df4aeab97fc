import type { Tx } from '../../../../kernel/store/index.ts';
import { DAY_MS } from '../../../../kernel/time/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { machineMs } from '../../compute/timing.ts';
import type { PlatformJar } from '../../jar.ts';
import { freeCount } from '../../limits/take.ts';
import { type ConnectionState, type EndpointRule, endpointKey, endpointRules } from './collections.ts';
import { STEP_ENDPOINT, stepEndpointId } from './work.ts';

/** The life cycle of a private endpoint; each step runs in the caller's transaction. */

/** An endpoint expires if it is not approved within this time. */
const APPROVABLE_MS = 14 * DAY_MS;
/** A deactivated endpoint is removed after this time, and counts towards the quota until then. */
const DEACTIVATED_MS = DAY_MS;

export type EndpointJar = Pick<PlatformJar, 'clock' | 'config' | 'limits'>;

export const keyOf = ({ accountId, configurationId, id }: EndpointRule): string =>
  endpointKey(accountId, configurationId, id);

/** When the next scheduled transition of a rule is due. */
function dueOf(jar: EndpointJar, { state, createdAt, deactivatedAt }: EndpointRule): number | undefined {
  if (deactivatedAt !== undefined) return deactivatedAt + DEACTIVATED_MS;
  if (state === 'CREATING') return createdAt + machineMs(jar, 'privateEndpoint');
  return state === 'PENDING' ? createdAt + APPROVABLE_MS : undefined;
}

/** Writes a rule, and schedules its next transition. */
export async function saveRule(tx: Tx, jar: EndpointJar, kind: string, rule: EndpointRule): Promise<EndpointRule> {
  const key = keyOf(rule);
  const saved = { ...rule, updatedAt: jar.clock.now() };
  await tx.put(endpointRules, key, saved);
  const dueAt = dueOf(jar, saved);
  if (dueAt === undefined) await tx.cancel(stepEndpointId(key));
  else await tx.schedule(STEP_ENDPOINT.at(dueAt, { key }, stepEndpointId(key)));
  await recordRule(tx, jar, kind, saved);
  return saved;
}

async function dropRule(tx: Tx, jar: EndpointJar, rule: EndpointRule): Promise<void> {
  const key = keyOf(rule);
  await tx.delete(endpointRules, key);
  await tx.cancel(stepEndpointId(key));
  await freeCount(tx, jar, { row: 'private-endpoints', scope: [rule.accountId, rule.region] });
  await recordRule(tx, jar, 'delete', rule);
}

const recordRule = (tx: Tx, { clock }: EndpointJar, kind: string, rule: EndpointRule): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${rule.accountId}/network-connectivity-configs/${rule.configurationId}/private-endpoint-rules/${rule.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { kind: 'private-endpoint-rules', id: rule.id, state: rule.state },
  });

/** Removes an endpoint that is pending or expired; any other is deactivated first. A deactivated endpoint stays as it is. */
export async function removeRule(tx: Tx, jar: EndpointJar, rule: EndpointRule): Promise<EndpointRule> {
  if (rule.deactivatedAt !== undefined) return rule;
  if (rule.state !== 'PENDING' && rule.state !== 'EXPIRED')
    return saveRule(tx, jar, 'deactivate', { ...rule, deactivatedAt: jar.clock.now() });
  await dropRule(tx, jar, rule);
  return rule;
}

const NEXT: Readonly<Partial<Record<ConnectionState, ConnectionState>>> = { CREATING: 'PENDING', PENDING: 'EXPIRED' };

export const stepEndpoint = workHandler(STEP_ENDPOINT, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    // Completed first, since the next state schedules an item with the same id.
    await tx.complete(item);
    const rule = (await tx.get(endpointRules, item.payload.key))?.value;
    if (!rule) return;
    const next = NEXT[rule.state];
    if (rule.deactivatedAt !== undefined) await dropRule(tx, jar, rule);
    else if (next) await saveRule(tx, jar, 'update', { ...rule, state: next });
  });
});
