import { type Origin, recordOutcome } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { Home } from '../collections.ts';
import { NAMESPACE } from '../types.ts';

interface Happening {
  /** `accounts/shares/invitations` */
  readonly type: string;
  readonly effect: Origin['effect'];
  /** What was done, where that is an action: `synchronize`. */
  readonly action?: string;
  readonly resourceUri: string;
  readonly home: Home;
  readonly at: number;
}

type Outcome = Parameters<typeof recordOutcome>[3];

/**
 * Records something that nobody called for at this moment: the end of a run, an expiry, what the other side of a share did. The record is
 * for the tenant that it happens to, so it names no caller of another one.
 */
export function recordHappening(
  tx: Tx,
  { type, effect, action, resourceUri, home, at }: Happening,
  outcome: Outcome,
  error?: { code: string; message: string },
): Promise<void> {
  const origin: Origin = {
    operationName: `${NAMESPACE}/${type}/${action === undefined ? effect : `${action}/action`}`,
    effect,
    resourceUri,
    subscriptionId: home.subscriptionId,
    tenantId: home.tenantId,
    correlationId: '',
    caller: { objectId: '', name: NAMESPACE, applicationId: '', kind: 'application' },
    claims: {},
    httpRequest: { clientRequestId: '', clientIpAddress: '', method: '', url: '' },
  };
  return recordOutcome(tx, origin, at, outcome, error);
}
