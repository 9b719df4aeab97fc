import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { appOf, orgOf } from '../access/access.ts';
import { holdApp } from '../apps/current-rights.ts';
import { lockPeople, requireOrgRole } from '../orgs/current-rights.ts';
import type { DistributionGroup } from './collections.ts';

type Asking = Pick<Call, 'facts' | 'correlationId'>;

/** The owner of distribution groups: an app, or an organization whose apps share them. */
export interface Place {
  readonly of: DistributionGroup['of'];
  /** Name in messages. */
  readonly title: string;
  /** Checks the caller's current rights, and locks the groups until the transaction ends. */
  hold(tx: Tx): Promise<void>;
}

export const appPlace = (call: Asking): Place => {
  const { id, name } = appOf(call);
  return {
    of: { kind: 'app', id },
    title: `the app '${name}'`,
    async hold(tx) {
      await holdApp(tx, call, 'developer');
    },
  };
};

export const orgPlace = (call: Asking): Place => {
  const { id, name } = orgOf(call);
  return {
    of: { kind: 'org', id },
    title: `the organization '${name}'`,
    async hold(tx) {
      await lockPeople(tx, id);
      await requireOrgRole(tx, call, 'collaborator');
    },
  };
};
