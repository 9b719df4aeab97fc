import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { routeCode } from '../jar.ts';
import { findGroup } from './groups.ts';
import { appPlace } from './places.ts';

/** A jar distributes no releases, so the lists are empty. Clients request them together with groups. */
const NONE = Type.Array(Type.Object({}), { maxItems: 0 });

export const listReleases = routeCode([], { responses: { 200: NONE }, handle: () => ok([]) });

export const listReleasesOfGroup = routeCode(['distribution_group_name'], {
  responses: { 200: NONE },
  async handle(call) {
    await findGroup(call.jar.store, appPlace(call), call.params.distribution_group_name);
    return ok([]);
  },
});
