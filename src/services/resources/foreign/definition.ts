import type { ResourceDefinition, ResourceWrite } from '../../../kernel/arm/index.ts';
import { freeCounted, takeCounted } from '../counted.ts';
import { createDefaultChildren, dropChildren } from './children.ts';
import { membersOf } from './contents.ts';
import { patchForeign } from './patch.ts';
import { RecordBody, recordOf } from './record.ts';
import type { ForeignType } from './rows.ts';

/** PUT, GET, PATCH, DELETE and lists of a record type. */
export const foreignDefinition = (type: ForeignType): ResourceDefinition => ({
  ...type,
  operations: operationsOf(type.type),
  body: RecordBody,
  write: (write) => writeRecord(type, write),
  patch: patchForeign(type),
  onDelete: async (tx, resource, jar) => {
    await freeCounted(tx, resource, jar);
    await dropChildren(tx, resource, jar);
  },
});

async function writeRecord(type: ForeignType, write: ResourceWrite<undefined>) {
  const { tx, call, id, name, location = '', body, existing, now } = write;
  if (!existing) {
    await takeCounted(tx, call.jar, type.type, { subscription: subscriptionOf(id), region: location, name });
    await createDefaultChildren(tx, { id, type: type.type, resourceGroup: groupOf(id), now });
  }
  return recordOf(type, write, { ...membersOf(body), properties: membersOf(body.properties) }, existing);
}

const subscriptionOf = (id: string): string => (id.split('/')[2] ?? '').toLowerCase();
const groupOf = (id: string): string => id.split('/')[4] ?? '';

/** `Vendor.EventHub/namespaces/eventhubs` → `EventHubNamespacesEventhubs` */
function operationsOf(type: string): string {
  const [namespace = '', ...names] = type.split('/');
  const words = names.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('');
  // The provider name is put in front, because other vendors may have types of the same name.
  const provider = namespace.replace(/^Vendor\./, '').replaceAll('.', '');
  return words.startsWith(provider) ? words : provider + words;
}
