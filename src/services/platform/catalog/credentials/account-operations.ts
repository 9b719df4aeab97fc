import { ok } from '../../../../kernel/http/index.ts';
import { eq } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { Sent } from '../../engine/sent.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireVisible } from '../core/access.ts';
import { type Chain, findOfKind } from '../core/chain.ts';
import { chainsBelow, listBelow, viewChain, viewChains } from '../core/list.ts';
import { changeSecurable, createSecurable, deleteSecurable } from '../core/operations.ts';
import { findMetastore } from '../metastores/metastores.ts';
import { STORAGE_CREDENTIALS } from './kinds.ts';

/**
 * The storage credentials of a metastore, for administrators of the account. The credential is wrapped in a member of bodies and answers.
 */

const PATH = '/accounts/{account_id}/metastores/{metastore_id}/storage-credentials';
const ONE = `${PATH}/{storage_credential_name}`;

const sentIn = ({ body }: PlatformCall): JsonMembers => {
  new Sent(body).member('credential_info');
  const { credential_info: info, ...rest } = isObject(body) ? (body as JsonMembers) : {};
  return { ...rest, ...(isObject(info) ? (info as JsonMembers) : {}) };
};

const shown = async (call: PlatformCall, chain: Chain): Promise<JsonMembers> => ({
  credential_info: await viewChain(call, STORAGE_CREDENTIALS, chain),
});

export const ACCOUNT_CREDENTIAL_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'accountStorageCredentials_create',
    summary: 'Storage credentials of a metastore: create one',
    code: routeCode(['metastore_id'], {
      async handle(call) {
        const metastore = await findMetastore(call, call.params.metastore_id);
        const sent = sentIn(call);
        const name = new Sent(sent, 'credential_info').need('name');
        return ok(await shown(call, await createSecurable(call, STORAGE_CREDENTIALS, { name, sent }, metastore)));
      },
    }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'accountStorageCredentials_list',
    summary: 'Storage credentials of a metastore: list them',
    code: routeCode(['metastore_id'], {
      async handle(call) {
        const above = { target: await findMetastore(call, call.params.metastore_id), above: [] };
        const { items } = await listBelow(call, STORAGE_CREDENTIALS, above, { filter: eq('purpose', 'STORAGE') });
        return ok({ storage_credentials: await viewChains(call, STORAGE_CREDENTIALS, chainsBelow(above, items)) });
      },
    }),
  },
  {
    method: 'GET',
    path: ONE,
    operation: 'accountStorageCredentials_get',
    summary: 'Storage credentials of a metastore: read one',
    code: routeCode(['metastore_id', 'storage_credential_name'], {
      async handle(call) {
        const { metastore_id: id, storage_credential_name: name } = call.params;
        const metastore = await findMetastore(call, id);
        const chain = await findOfKind(call.jar.store, metastore, STORAGE_CREDENTIALS, name);
        requireVisible(call, chain);
        return ok(await shown(call, chain));
      },
    }),
  },
  {
    method: 'PUT',
    path: ONE,
    operation: 'accountStorageCredentials_update',
    summary: 'Storage credentials of a metastore: change one',
    code: routeCode(['metastore_id', 'storage_credential_name'], {
      async handle(call) {
        const { metastore_id: id, storage_credential_name: name } = call.params;
        const metastore = await findMetastore(call, id);
        return ok(await shown(call, await changeSecurable(call, STORAGE_CREDENTIALS, name, sentIn(call), metastore)));
      },
    }),
  },
  {
    method: 'DELETE',
    path: ONE,
    operation: 'accountStorageCredentials_delete',
    summary: 'Storage credentials of a metastore: delete one',
    code: routeCode(['metastore_id', 'storage_credential_name'], {
      async handle(call) {
        const { metastore_id: id, storage_credential_name: name } = call.params;
        const metastore = await findMetastore(call, id);
        await deleteSecurable(call, STORAGE_CREDENTIALS, name, { force: call.query.force === 'true' }, metastore);
        return ok({});
      },
    }),
  },
];
