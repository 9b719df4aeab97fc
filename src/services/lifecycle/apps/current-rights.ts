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
  /** What the token lets its user do to it, now. */
  readonly standing: AppStanding;
}

/**
 * The app of the call as it is, which nobody else changes until the transaction ends; nor its collaborators, since whoever changes
 * those holds the app too. Rights that the gateway has found may be gone by now. `role` undefined: it is enough to see the app.
 */
export async function holdApp(tx: Tx, call: Asking, role?: AppStanding): Promise<HeldApp> {
  const app = (await tx.get(apps, appOf(call).id))?.value;
  const standing = app && (await tokenStandingOf(tx, app, accessOf(call).token));
  if (!app || !standing) throw gateway.notFound(call);
  if (role !== undefined && appRank(standing) < appRank(role)) {
    throw gateway.forbidden(`this needs the role ${role} in the app, and yours is ${standing}`);
  }
  return { app, standing };
}
