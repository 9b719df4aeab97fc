import { uuid } from '../../../../kernel/ids/index.ts';
import { eq, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { type FieldRule, type FieldRules, readFields } from '../../engine/fields.ts';
import { textOf, textsOf } from '../../engine/json.ts';
import { checkMask, isWhole, maskedFields, readMask } from '../../engine/mask.ts';
import { pageSize, readPage } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import { configurationKey, type EndpointRule, endpointKey, endpointRules } from './collections.ts';
import { findConfiguration } from './configurations.ts';
import { removeRule, saveRule } from './endpoints.ts';
import { endpointView } from './view.ts';

/** Private endpoint rules, for administrators of the account. */

const MOST_NAMES = 100;

const names: FieldRule = { type: 'array', least: 1, most: MOST_NAMES, items: { type: 'string', least: 1, most: 255 } };

const CHANGEABLE: FieldRules = { domain_names: names, resource_names: names, enabled: { type: 'boolean' } };

const FIELDS: FieldRules = {
  resource_id: { type: 'string', least: 1, most: 2048 },
  group_id: { type: 'string', least: 1, most: 80 },
  endpoint_service: { type: 'string', least: 1, most: 255 },
  domain_names: names,
  resource_names: names,
};

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

const RESOURCE = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+(?:\/[^/]+\/[^/]+)+$/i;
const DOMAIN = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})+$/i;

/** There are two forms: an endpoint to a resource of this cloud, and one to a service of the other cloud. */
function checkTarget(target: JsonMembers): void {
  const { resource_id: resource, group_id: group, endpoint_service: service } = target;
  const { domain_names: domains, resource_names: buckets } = target;
  const bad = textsOf(domains).find((each) => !DOMAIN.test(each));
  if (bad !== undefined)
    throw invalid(`The field 'domain_names' has '${bad.slice(0, 100)}', which is not a domain name.`);
  if (service !== undefined) {
    if (resource !== undefined || group !== undefined)
      throw invalid("The field 'endpoint_service' cannot be used together with 'resource_id' and 'group_id'.");
    if ((domains === undefined) === (buckets === undefined))
      throw invalid("Exactly one of the fields 'domain_names' and 'resource_names' must be given.");
    return;
  }
  if (resource === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'resource_id' });
  if (!RESOURCE.test(String(resource)))
    throw invalid(`The field 'resource_id' is not a resource id: '${String(resource).slice(0, 200)}'.`);
  if (buckets !== undefined) throw invalid("The field 'resource_names' needs 'endpoint_service'.");
  if ((group === undefined) === (domains === undefined))
    throw invalid("Exactly one of the fields 'group_id' and 'domain_names' must be given.");
  if (group !== undefined && !/^\w[\w-]*$/.test(String(group)))
    throw invalid(`The field 'group_id' is not a sub-resource: '${String(group)}'.`);
}

/** The target, which must be unique among the endpoints of a configuration. */
const targetOf = ({ resource_id: resource, group_id: group, endpoint_service: service }: JsonMembers): string =>
  JSON.stringify([textOf(resource)?.toLowerCase(), textOf(group)?.toLowerCase(), service]);

async function findRule(
  reader: Reader,
  call: PlatformCall,
  configurationId: string,
  id: string,
): Promise<EndpointRule> {
  await findConfiguration(reader, call, configurationId);
  const found = (await reader.get(endpointRules, endpointKey(accountIn(call).id, configurationId, id)))?.value;
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `The private endpoint rule ${id.slice(0, 100)} does not exist.` });
}

/** The endpoint is created after the response, and then has to be approved. */
export function createRule(call: PlatformCall, configurationId: string): Promise<JsonMembers> {
  const { jar } = call;
  const target = readFields(FIELDS, call.body);
  checkTarget(target);
  return jar.store.transact(async (tx) => {
    // Locked: rules for the same resource are created one after another, and the configuration is not removed.
    const { accountId, region } = await findConfiguration(tx, call, configurationId);
    await checkNew(tx, accountId, configurationId, target);
    await takeCount(tx, jar, { row: 'private-endpoints', scope: [accountId, region] });
    const now = jar.clock.now();
    const made = {
      id: uuid(),
      accountId,
      configurationId,
      region,
      target: target.endpoint_service === undefined ? target : { enabled: true, ...target },
      state: 'CREATING',
      createdAt: now,
      updatedAt: now,
    } as const;
    return endpointView(await saveRule(tx, jar, 'create', made));
  });
}

const MOST_RULES = 10_000;

async function checkNew(tx: Tx, accountId: string, configurationId: string, target: JsonMembers): Promise<void> {
  const filter = eq('configuration', configurationKey(accountId, configurationId));
  const { items } = await tx.query(endpointRules, { filter, limit: MOST_RULES });
  const same = items.find(
    ({ value }) => value.deactivatedAt === undefined && targetOf(value.target) === targetOf(target),
  );
  if (same)
    throw errors.ALREADY_EXISTS({
      reason: `The private endpoint rule ${same.value.id} already exists for this resource.`,
    });
}

export const getRule = async (call: PlatformCall, configurationId: string, id: string): Promise<JsonMembers> =>
  endpointView(await findRule(call.jar.store, call, configurationId, id));

export async function listRules(call: PlatformCall, configurationId: string): Promise<object> {
  const { accountId, id } = await findConfiguration(call.jar.store, call, configurationId);
  const { items, next } = await readPage(call, {
    collection: endpointRules,
    query: { filter: eq('configuration', configurationKey(accountId, id)), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  return {
    items: items.map(({ value }) => endpointView(value)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** Names are replaced as a whole. Endpoints to resources of a known kind have no changeable names. */
export async function changeRule(call: PlatformCall, configurationId: string, id: string): Promise<JsonMembers> {
  const { jar } = call;
  const mask = readMask(call.query.update_mask);
  if (!mask) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'update_mask' });
  checkMask(mask, CHANGEABLE, () => false);
  const chosen = isWhole(mask) ? Object.keys(CHANGEABLE) : maskedFields(mask);
  const said = readFields(CHANGEABLE, call.body ?? {});
  const change = Object.fromEntries(Object.entries(said).filter(([name]) => chosen.includes(name)));
  return jar.store.transact(async (tx) => {
    const rule = await findRule(tx, call, configurationId, id);
    if (rule.deactivatedAt !== undefined)
      throw errors.INVALID_STATE({ reason: `The private endpoint rule ${id} is deactivated.` });
    const target = { ...rule.target, ...change };
    for (const name of Object.keys(change))
      if (rule.target[name] === undefined)
        throw invalid(`The private endpoint rule ${id} has no changeable field '${name}'.`);
    const { enabled: _enabled, ...checked } = target;
    checkTarget(checked);
    return endpointView(await saveRule(tx, jar, 'update', { ...rule, target }));
  });
}

export const deleteRule = (call: PlatformCall, configurationId: string, id: string): Promise<JsonMembers> =>
  call.jar.store.transact(async (tx) =>
    endpointView(await removeRule(tx, call.jar, await findRule(tx, call, configurationId, id))),
  );
