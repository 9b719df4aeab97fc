import { ok } from '../../../../../kernel/http/index.ts';
import { uuid } from '../../../../../kernel/ids/index.ts';
import { eq, type Reader, type Tx } from '../../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { checkMask, isWhole, maskedFields, readMask, withMaskedParts } from '../../../engine/mask.ts';
import { readPage } from '../../../engine/paging.ts';
import { Sent } from '../../../engine/sent.ts';
import { errors } from '../../../errors.ts';
import { type PlatformCall, routeCode } from '../../../jar.ts';
import { freeCount, takeCount } from '../../../limits/take.ts';
import type { Operation } from '../../../operation.ts';
import { requireManager } from '../../core/access.ts';
import { type Chain, findChain } from '../../core/chain.ts';
import { maxResults } from '../../core/list.ts';
import { metastoreIn, metastoreNow } from '../../core/metastore.ts';
import { record } from '../../core/operations.ts';
import { readSecurable } from '../../core/wire.ts';
import { type RecipientPolicy, recipientPolicies, recipientPolicyKey } from '../collections.ts';
import { RECIPIENTS } from './kind.ts';
import { checkPolicyName, POLICY_FIELDS, policyCount, policyView, readPolicy, sentForm } from './policies.ts';

/** Federation policies of recipients: created, changed and deleted by callers who manage the recipient. */

function requireFederated({ target }: Chain): void {
  if (target.fields.authentication_type === 'OIDC_FEDERATION') return;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The recipient '${target.name}' has no federation policies: its authentication_type is ${target.fields.authentication_type}, not OIDC_FEDERATION.`,
  });
}

/** Runs a change in a transaction that locks the recipient, which the caller must manage. */
async function changing<R>(call: PlatformCall, name: string, change: (tx: Tx, chain: Chain) => Promise<R>): Promise<R> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const chain = await findChain(tx, await metastoreNow(tx, metastore), 'recipient', name, { lock: 'update' });
    requireManager(call, chain);
    requireFederated(chain);
    return change(tx, chain);
  });
}

async function found(reader: Reader, { target }: Chain, name: string): Promise<RecipientPolicy> {
  const policy = (await reader.get(recipientPolicies, recipientPolicyKey({ recipient: target.id, name })))?.value;
  if (policy) return policy;
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `Federation policy '${name.slice(0, 255)}' of recipient '${target.name}' does not exist.`,
  });
}

const createPolicy = (call: PlatformCall, recipient: string): Promise<RecipientPolicy> =>
  changing(call, recipient, async (tx, chain) => {
    const name = checkPolicyName(new Sent(call.body).need('name'));
    const draft = readPolicy(call.body);
    const now = call.jar.clock.now();
    const policy = { id: uuid(), recipient: chain.target.id, name, ...draft, createdAt: now, updatedAt: now };
    if (await tx.get(recipientPolicies, recipientPolicyKey(policy)))
      throw errors.RESOURCE_ALREADY_EXISTS({
        reason: `Federation policy '${name}' of recipient '${chain.target.name}' already exists.`,
      });
    await takeCount(tx, call.jar, policyCount(chain.target));
    await tx.put(recipientPolicies, recipientPolicyKey(policy), policy);
    await record(tx, call, 'createPolicy', chain, { policy: name });
    return policy;
  });

const SHOWN: readonly string[] = ['id', 'name', 'create_time', 'update_time'];

/** With `update_mask` the fields in the mask change, otherwise the fields in the request. */
function changed(known: JsonMembers, sent: unknown, mask: readonly string[] | undefined): object {
  if (!mask) return { ...known, ...Object(sent) };
  checkMask(mask, POLICY_FIELDS, (field) => SHOWN.includes(field));
  if (isWhole(mask)) return Object(sent);
  const parts: Readonly<Record<string, unknown>> = Object(withMaskedParts(known, sent, mask));
  const fields = maskedFields(mask).filter((field) => !SHOWN.includes(field));
  return { ...known, ...Object.fromEntries(fields.map((field) => [field, parts[field]])) };
}

const changePolicy = (call: PlatformCall, recipient: string, name: string): Promise<RecipientPolicy> =>
  changing(call, recipient, async (tx, chain) => {
    const before = await found(tx, chain, name);
    const after = changed(sentForm(before), call.body ?? {}, readMask(call.query.update_mask));
    const { comment: _, ...rest } = before;
    const policy = { ...rest, ...readPolicy(after), updatedAt: call.jar.clock.now() };
    await tx.put(recipientPolicies, recipientPolicyKey(policy), policy);
    await record(tx, call, 'updatePolicy', chain, { policy: name });
    return policy;
  });

const deletePolicy = (call: PlatformCall, recipient: string, name: string): Promise<void> =>
  changing(call, recipient, async (tx, chain) => {
    const policy = await found(tx, chain, name);
    await tx.delete(recipientPolicies, recipientPolicyKey(policy));
    await freeCount(tx, call.jar, policyCount(chain.target));
    await record(tx, call, 'deletePolicy', chain, { policy: name });
  });

async function listPolicies(call: PlatformCall, recipient: string): Promise<object> {
  const chain = await readSecurable(call, RECIPIENTS, recipient);
  requireFederated(chain);
  const { items, next } = await readPage(call, {
    collection: recipientPolicies,
    query: { filter: eq('recipient', chain.target.id), order: [{ field: 'name' }] },
    size: maxResults(call),
  });
  return {
    policies: items.map(({ value }) => policyView(value)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

const PATH = '/data-sharing/recipients/{recipient_name}/federation-policies';
const ONE = `${PATH}/{name}`;

const row = (
  method: Operation['method'],
  path: string,
  verb: string,
  summary: string,
  code: Operation['code'],
): Operation => ({
  method,
  path,
  operation: `recipientFederationPolicies_${verb}`,
  summary: `Federation policies of recipients: ${summary}`,
  code,
});

export const RECIPIENT_POLICY_OPERATIONS: readonly Operation[] = [
  row(
    'POST',
    PATH,
    'create',
    'create one',
    routeCode(['recipient_name'], {
      handle: async (call) => ok(policyView(await createPolicy(call, call.params.recipient_name))),
    }),
  ),
  row(
    'GET',
    PATH,
    'list',
    'list them',
    routeCode(['recipient_name'], { handle: async (call) => ok(await listPolicies(call, call.params.recipient_name)) }),
  ),
  row(
    'GET',
    ONE,
    'getFederationPolicy',
    'read one',
    routeCode(['recipient_name', 'name'], {
      async handle(call) {
        const chain = await readSecurable(call, RECIPIENTS, call.params.recipient_name);
        requireFederated(chain);
        return ok(policyView(await found(call.jar.store, chain, call.params.name)));
      },
    }),
  ),
  row(
    'PATCH',
    ONE,
    'update',
    'change one',
    routeCode(['recipient_name', 'name'], {
      handle: async (call) => ok(policyView(await changePolicy(call, call.params.recipient_name, call.params.name))),
    }),
  ),
  row(
    'DELETE',
    ONE,
    'delete',
    'delete one',
    routeCode(['recipient_name', 'name'], {
      async handle(call) {
        await deletePolicy(call, call.params.recipient_name, call.params.name);
        return ok({});
      },
    }),
  ),
];
