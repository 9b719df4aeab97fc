import { settingOperations } from '../engine/setting.ts';
import { accountIn } from '../jar.ts';
import { ipGuards } from './collections.ts';
import { enforceLists } from './guard.ts';

const NAME = 'acct_ip_acl_enable';

/** Whether the IP access lists of an account are enforced. By default they are not, like those of a workspace. */
export const ACCOUNT_SETTING_OPERATIONS = settingOperations<boolean>({
  name: NAME,
  below: '/accounts/{account_id}',
  operations: 'accountIpAccess',
  summaries: {
    get: 'Whether the IP access lists of the account are enforced',
    update: 'Enforce the IP access lists of the account, or stop',
    delete: 'Reset to the default: the IP access lists of the account are not enforced',
  },
  member: NAME,
  usual: false,
  scope: (call) => accountIn(call).id,
  valueIn: (sent) => sent.flag('value'),
  async stored(reader, accountId) {
    const found = await reader.get(ipGuards, accountId);
    return found && { etag: found.etag, value: found.value.enforced };
  },
  write: (tx, call, accountId, value) => enforceLists(tx, call, accountId, value),
});
