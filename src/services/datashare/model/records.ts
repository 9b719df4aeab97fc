import { type Origin, recordOutcome } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { Home } from '../collections.ts';
import { NAMESPACE } from '../types.ts';

interface Happening {
  /** For example `accounts/shares/invitations`. */
  readonly type: string;
  readonly effect: Origin['effect'];
  /** The action name if `effect` is an action, for example `synchronize`. */
  readonly action?: string;
  readonly resourceUri: string;
  readonly home: Home;
  readonly at: number;
}

type Outcome = Parameters<typeof recordOutcome>[3];

/**
 * Writes an activity record for an event without a current request: the end of a run, an expiry, or an act of the other side of a share.
 * The record belongs to the affected tenant, so it does not name a caller of another tenant.
 */
export function recordActivity(
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
