import type { Tx } from '../../../kernel/store/index.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import type { Caller } from './scope.ts';

export const callerOf = (call: PlatformCall): Caller => ({
  workspace: workspaceIn(call),
  standing: callerIdentity(call),
});

/** For the audit trail; never contains a value. */
export const record = (tx: Tx, call: PlatformCall, kind: string, what: string): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceIn(call).id}/secrets/${what}`,
    outcome: 'Succeeded',
    at: call.jar.clock.now(),
    data: { by: callerIdentity(call).principal.id },
  });
