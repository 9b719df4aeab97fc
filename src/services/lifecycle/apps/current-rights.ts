import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { accessOf, appOf } from '../access/access.ts';
import { tokenStandingOf } from '../access/standing.ts';
import { type App, apps } from '../collections.ts';
import { gateway } from '../errors.ts';
import { type AppStanding, appRank } from '../roles.ts';

type Asking = Pick<Call, 'facts' | 'correlationId'>;

export interface HeldApp {
  readonly app: App;
  /** The token's current standing in the app. */
  readonly standing: AppStanding;
}

/**
 * Locks the call's app until the transaction ends; changes of its collaborators also take this lock. Rights that the gateway found may have
 * been revoked, so they are checked again. If `role` is undefined, seeing the app is enough.
 */
export async function holdApp(tx: Tx, call: Asking, role?: AppStanding): Promise<HeldApp> {
  const app = (await tx.get(apps, appOf(call).id))?.value;
  const standing = app && (await tokenStandingOf(tx, app, accessOf(call).token));
  if (!app || !standing) throw gateway.notFound(call);
  if (role !== undefined && appRank(standing) < appRank(role)) {
    throw gateway.forbidden(`this requires the role ${role} in the app, and yours is ${standing}`);
  }
  return { app, standing };
}
