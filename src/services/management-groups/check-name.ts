import { resourceKey } from '../../kernel/arm/index.ts';
import { ok } from '../../kernel/http/index.ts';
import { armCode } from '../../kernel/service/index.ts';
import { readCached } from '../../kernel/store/index.ts';
import { tenantOf } from './access.ts';
import { bodyValue, NAME_BODY } from './body.ts';
import { groupOperations, operationKey } from './collections.ts';
import { groupErrors } from './errors.ts';
import { nameProblem } from './names.ts';
import { NameSchema } from './schemas.ts';
import { findGroup } from './tree.ts';
import { GROUP_TYPE } from './types.ts';

/** Answers whether a name is available: it is valid, and no group of the tenant has it or is being created with it. */
export const checkName = armCode([], {
  body: NAME_BODY.schema(),
  responses: { 200: NameSchema },
  async handle(call) {
    const { store, config } = call.jar;
    const { name, type } = bodyValue(NAME_BODY, call.body);
    // The provider prefix is normalised as in ids; a leading `/providers/` makes the type an id.
    if (resourceKey(`/providers/${type}`, config.namespace) !== `/providers/${GROUP_TYPE}`.toLowerCase()) {
      const reason = `The type '${type.slice(0, 80)}' is not '${GROUP_TYPE}'.`;
      throw groupErrors.BadRequest({ reason }, { target: 'type' });
    }
    const problem = nameProblem(name);
    if (problem !== undefined)
      return ok({ nameAvailable: false, reason: 'Invalid', message: `The name is not valid: ${problem}.` });
    const tenantId = tenantOf(call);
    const creation = await readCached(store, groupOperations, operationKey(tenantId, 'create', name));
    const isComing = creation?.value.status === 'NotStarted' || creation?.value.status === 'Running';
    if (!isComing && !(await findGroup(store, tenantId, name))) return ok({ nameAvailable: true });
    const message = `The management group '${name}' already exists in the tenant.`;
    return ok({ nameAvailable: false, reason: 'AlreadyExists', message });
  },
});
