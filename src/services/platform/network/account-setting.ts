import { ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { ipGuards } from './collections.ts';
import { enforceLists } from './guard.ts';

/** Whether the IP access lists of an account are enforced. They are not until somebody says so, as those of a workspace. */

const NAME = 'acct_ip_acl_enable';
/** The version of a setting that nobody has changed. */
const UNSET = 'unset';

async function read(call: PlatformCall, reader: Pick<Tx, 'get'>) {
  const stored = await reader.get(ipGuards, accountIn(call).id);
  return { etag: stored?.etag ?? UNSET, value: stored?.value.enforced ?? false };
}

const view = ({ etag, value }: Awaited<ReturnType<typeof read>>) => ({
  etag,
  setting_name: 'default',
  [NAME]: { value },
});

function checkVersion(asked: string | undefined, { etag }: { readonly etag: string }): void {
  if (asked !== undefined && asked !== '' && asked !== etag)
    throw errors.RESOURCE_CONFLICT({ reason: `The setting ${NAME} has changed meanwhile; read it again.` });
}

async function change(call: PlatformCall, etag: string | undefined, value: boolean) {
  const { id } = accountIn(call);
  return call.jar.store.transact(async (tx) => {
    checkVersion(etag, await read(call, tx));
    await enforceLists(tx, call, id, value);
    await tx.change({
      source: 'platform',
      kind: 'update',
      subject: `/${id}/settings/${NAME}`,
      outcome: 'Succeeded',
      at: call.jar.clock.now(),
      data: { value },
    });
    return read(call, tx);
  });
}

const PATH = `/accounts/{account_id}/settings/types/${NAME}/names/default`;

export const ACCOUNT_SETTING_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: PATH,
    operation: 'accountIpAccess_get',
    summary: 'Whether the IP access lists of the account are enforced',
    code: routeCode([], { handle: async (call) => ok(view(await read(call, call.jar.store))) }),
  },
  {
    method: 'PATCH',
    path: PATH,
    operation: 'accountIpAccess_update',
    summary: 'Enforce the IP access lists of the account, or stop',
    code: routeCode([], {
      async handle(call) {
        const setting = new Sent(call.body).member('setting');
        const value = setting?.member(NAME)?.flag('value');
        if (value === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `setting.${NAME}.value` });
        return ok(view(await change(call, setting?.text('etag'), value)));
      },
    }),
  },
  {
    method: 'DELETE',
    path: PATH,
    operation: 'accountIpAccess_delete',
    summary: 'Back to the default: the IP access lists of the account are not enforced',
    code: routeCode([], {
      async handle(call) {
        const { etag } = await change(call, new Sent(call.query).text('etag'), false);
        return ok({ etag });
      },
    }),
  },
];
