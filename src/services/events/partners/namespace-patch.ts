import { asJson } from '../../../kernel/arm/body/index.ts';
import {
  type AnyArmCode,
  checkTags,
  idOf,
  operationHeaders,
  originOf,
  resources,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { created } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';
import { notFound } from '../topics/find.ts';
import { beginWrite } from '../topics/finish.ts';
import { POLLING } from '../versions.ts';
import { NAMESPACE_PATCH, readPartner } from './body.ts';
import { PARTNER_NAMESPACE } from './kinds.ts';
import { patchSchema } from './patch.ts';
import { namespaceView } from './view.ts';

/** Changes tags and networking; the answer shows the update as still running. */
export const patchNamespace: AnyArmCode = armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
  body: patchSchema(NAMESPACE_PATCH),
  async handle(call, arm) {
    const { params, body } = call;
    const tags = body.tags ? checkTags(body.tags) : undefined;
    const { properties = {} } = readPartner(NAMESPACE_PATCH, call, arm, body);
    const origin = originOf(call);
    const key = idOf(PARTNER_NAMESPACE, params, arm).toLowerCase();
    const { resource, operation } = await call.jar.store.transact(async (tx) => {
      const before = (await tx.get(resources, key))?.value;
      if (!before) throw notFound(arm, PARTNER_NAMESPACE.type, params.resourceName);
      const { location = '', createdAt, extra } = before;
      const resource = {
        ...before,
        ...(tags && { tags }),
        properties: { ...before.properties, ...asJson(properties), provisioningState: 'Updating' },
        extra: { ...extra, systemData: systemDataAfter(call, extra.systemData) },
        changedAt: call.jar.clock.now(),
      };
      await tx.put(resources, key, resource);
      return { resource, operation: await beginWrite(tx, call, { key, location, createdAt, origin }) };
    });
    arm.recorded = true;
    const view = namespaceView(resource, arm.prefix, true, undefined, call);
    return created(view, operationHeaders(call, operation, 'status', POLLING));
  },
});
