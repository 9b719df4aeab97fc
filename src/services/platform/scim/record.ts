import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../accounts/collections.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import type { ScimPlace } from './place.ts';

/** For the audit trail and the change feed. */
export const recordChange = (
  tx: Tx,
  { clock }: Pick<Jar, 'clock'>,
  { account, workspace }: Pick<ScimPlace, 'account' | 'workspace'>,
  what: 'create' | 'update' | 'delete',
  { id, kind }: Principal,
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind: what,
    subject: `/${workspace?.id ?? account.id}/${RESOURCE_KINDS[kind].path}/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { kind, id, account: account.id },
  });
