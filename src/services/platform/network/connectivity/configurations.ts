import { uuid } from '../../../../kernel/ids/index.ts';
import { allOf, eq, type Reader, type ReadLock, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { pageSize, readPage } from '../../engine/paging.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { quotaOf } from '../../limits/declared.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import {
  configurationKey,
  type EndpointRule,
  endpointRules,
  type NetworkConfiguration,
  networkConfigurations,
} from './collections.ts';
import { configurationView } from './view.ts';

/** Network connectivity configurations of an account. */

const NAME = /^[0-9a-zA-Z-_]{3,30}$/;
const REGION = /^[0-9a-z-]{1,50}$/;

/** Read limit. The quota of rules per region also limits the rules of one configuration. */
const MOST_RULES = 10_000;

const missing = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The network connectivity configuration ${id.slice(0, 100)} does not exist.`,
  });

/** A configuration of the account; in a transaction it is locked against removal. */
export async function findConfiguration(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  id: string,
  lock?: ReadLock,
): Promise<NetworkConfiguration> {
  const found = (await reader.get(networkConfigurations, configurationKey(accountIn(call).id, id), lock))?.value;
  if (!found) throw missing(id);
  return found;
}

async function rulesOf(reader: Reader, { accountId, id }: NetworkConfiguration): Promise<readonly EndpointRule[]> {
  const filter = eq('configuration', configurationKey(accountId, id));
  const query = { filter, order: [{ field: 'createdAt' }], limit: MOST_RULES };
  return (await reader.query(endpointRules, query)).items.map(({ value }) => value);
}

export const viewOf = async (reader: Reader, configuration: NetworkConfiguration): Promise<JsonMembers> =>
  configurationView(configuration, await rulesOf(reader, configuration));

export function createConfiguration(call: PlatformCall): Promise<NetworkConfiguration> {
  const { jar } = call;
  const sent = new Sent(call.body);
  const [name, region] = [sent.need('name'), sent.need('region')];
  if (!NAME.test(name)) throw errors.INVALID_PARAMETER_VALUE({ reason: `The field 'name' must match ${NAME.source}.` });
  if (!REGION.test(region))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `There is no region '${region.slice(0, 100)}'.` });
  const accountId = accountIn(call).id;
  return jar.store.transact(async (tx) => {
    await tx.lock(`platform.network-configurations:${accountId}/${name.toLowerCase()}`);
    const filter = allOf(eq('account', accountId), eq('name', name.toLowerCase()));
    if ((await tx.query(networkConfigurations, { filter, limit: 1 })).items.length > 0)
      throw errors.ALREADY_EXISTS({ reason: `A network connectivity configuration named ${name} already exists.` });
    await takeCount(tx, jar, { row: 'network-configurations', scope: [accountId, region] });
    const now = jar.clock.now();
    const made = { id: uuid(), accountId, name, region, createdAt: now, updatedAt: now };
    await tx.put(networkConfigurations, configurationKey(accountId, made.id), made);
    await record(tx, call, 'create', made);
    return made;
  });
}

export async function listConfigurations(call: PlatformCall): Promise<object> {
  const { items, next } = await readPage(call, {
    collection: networkConfigurations,
    query: { filter: eq('account', accountIn(call).id), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  const views = [];
  for (const { value } of items) views.push(await viewOf(call.jar.store, value));
  return { items: views, ...(next !== undefined && { next_page_token: next }) };
}

/** Refused while the configuration is in use. */
export function deleteConfiguration(call: PlatformCall, id: string): Promise<void> {
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const found = await findConfiguration(tx, call, id);
    const { accountId, region } = found;
    const filter = eq('configuration', configurationKey(accountId, id));
    const rules = await tx.count(endpointRules, { filter });
    const { current: attached } = await jar.limits.takeQuota(tx, {
      limit: quotaOf('configuration-workspaces'),
      scope: [accountId, id],
      count: 0,
    });
    if (rules > 0 || attached > 0)
      throw errors.INVALID_STATE({
        reason: `The network connectivity configuration ${id} cannot be deleted: it has ${attached} workspaces and ${rules} private endpoint rules.`,
      });
    await tx.delete(networkConfigurations, configurationKey(accountId, id));
    await freeCount(tx, jar, { row: 'network-configurations', scope: [accountId, region] });
    await record(tx, call, 'delete', found);
  });
}

const record = (tx: Tx, { jar }: PlatformCall, kind: string, { accountId, id }: NetworkConfiguration): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${accountId}/network-connectivity-configs/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: 'network-connectivity-configs', id },
  });
