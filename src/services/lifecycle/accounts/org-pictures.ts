import { ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { orgOf } from '../access/access.ts';
import { type Org, orgs } from '../collections.ts';
import { gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { requireOrgRole } from '../orgs/current-rights.ts';
import { recordChange } from './changes.ts';
import { dropPicture, readPicture, replacePicture } from './pictures.ts';
import { OrgView, orgView } from './views.ts';

export const updateOrgAvatar = routeCode([], {
  responses: { 200: OrgView },
  async handle(call) {
    const picture = await readPicture(call);
    return changePicture(call, (tx, { avatarUrl }) => replacePicture(tx, avatarUrl, picture));
  },
});

export const deleteOrgAvatar = routeCode([], {
  responses: { 200: OrgView },
  handle: (call) =>
    changePicture(call, async (tx, { avatarUrl }) => {
      await dropPicture(tx, avatarUrl);
      return null;
    }),
});

async function changePicture(call: Call, change: (tx: Tx, org: Org) => Promise<string | null>) {
  const { jar } = call;
  const { id } = orgOf(call);
  const updatedAt = new Date(jar.clock.now()).toISOString();
  const org = await jar.store.transact(async (tx) => {
    await requireOrgRole(tx, call, 'admin');
    const before = (await tx.get(orgs, id))?.value;
    if (!before) throw gateway.notFound(call);
    const after: Org = { ...before, avatarUrl: await change(tx, before), updatedAt };
    await tx.put(orgs, id, after);
    await recordChange(tx, jar, 'write', `lifecycle/orgs/${id}`, { changed: ['avatarUrl'] });
    return after;
  });
  return ok(orgView(org, call));
}
