import { Type } from 'typebox';
import {
  type ArmFacts,
  beginOperation,
  groupPath,
  operationHeaders,
  originOf,
  type ResourceGroup,
  resourceKey,
  resources,
} from '../../../kernel/arm/index.ts';
import { accepted, ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { exportErrors } from './errors.ts';
import { readOptions } from './options.ts';
import { EMPTY_TEMPLATE } from './template.ts';
import { EXPORT_TEMPLATE } from './work.ts';

/** The real gateway's limit for one export. */
const MOST_RESOURCES = 200;
const MOST_IDS = 800;

const ExportBody = Type.Object({
  resources: Type.Optional(Type.Array(Type.String(), { maxItems: MOST_IDS })),
  options: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  outputFormat: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const exportRoutes: readonly Route[] = [
  armRoute({
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/exportTemplate',
    operation: 'ResourceGroups_ExportTemplate',
    summary:
      "Exports a group's resources as a template: immediately for an empty group, otherwise as a long-running operation",
    action: 'Vendor.Resources/subscriptions/resourceGroups/exportTemplate/action',
    body: ExportBody,
    responses: {
      200: Type.Object({ template: Type.Record(Type.String(), Type.Unknown()) }),
      202: 'Accepted; the Location header has the address to poll for the template',
    },
    async handle(call, arm) {
      const options = readOptions(call.body.options ?? undefined);
      checkFormat(call.body.outputFormat ?? 'Json');
      const keys = await keysOf(call, arm, call.body.resources ?? ['*']);
      if (keys.length > MOST_RESOURCES)
        throw exportErrors.ExportTemplateTooManyResources({ count: keys.length, maximum: MOST_RESOURCES });
      if (keys.length === 0) return ok({ template: EMPTY_TEMPLATE });
      const { subscriptionId, location } = arm.group as ResourceGroup;
      const origin = originOf(call);
      const operation = await call.jar.store.transact(async (tx) => {
        const now = call.jar.clock.now();
        const about = { subscriptionId, namespace: 'Vendor.Resources', location, origin };
        const begun = await beginOperation(tx, about, now);
        const { prefix } = arm;
        await tx.schedule(EXPORT_TEMPLATE.at(now, { operation: begun.id, origin, keys, options, prefix }));
        return begun;
      });
      // The change record is written when the export ends.
      arm.recorded = true;
      return accepted(operationHeaders(call, operation, 'location'));
    },
  }),
];

function checkFormat(format: string): void {
  if (format.toLowerCase() === 'json') return;
  throw exportErrors.ExportTemplateFormatNotSupported({ format: format.slice(0, 100) }, { target: 'outputFormat' });
}

/**
 * Keys of the requested resources; `*` selects all resources of the group. Sorting puts parents first, because a child's key starts with
 * its parent's key.
 */
async function keysOf({ jar }: Pick<Call, 'jar'>, arm: ArmFacts, ids: readonly string[]): Promise<string[]> {
  const { subscriptionId, name } = arm.group as ResourceGroup;
  const prefix = `${groupPath(subscriptionId, name).toLowerCase()}/providers/`;
  if (ids.length === 0 || ids.includes('*')) {
    const { items } = await jar.store.query(resources, { prefix, limit: MOST_RESOURCES + 1 });
    return items.map(({ key }) => key);
  }
  const keys = new Set<string>();
  for (const id of ids) {
    const key = resourceKey(id, jar.config.namespace);
    const known = key.startsWith(prefix) ? await jar.store.get(resources, key) : undefined;
    if (!known)
      throw exportErrors.ResourceToExportNotFound({ id: id.slice(0, 300), group: name }, { target: 'resources' });
    keys.add(key);
  }
  return [...keys].sort();
}
