import { uuid } from '../../../../../kernel/ids/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../../kernel/values/index.ts';
import { type Securable, SYSTEM_USER } from '../../core/securables.ts';
import { treeOfVolume } from '../../volumes/tree.ts';
import { sharedKey } from '../collections.ts';
import type { MirroredKind, Wanted } from './wanted.ts';

/** A securable in a catalog of a share. It has its own id and grants; its definition, columns, versions and files are the provider's. */
export function mirrorOf(
  catalog: Securable,
  parent: Securable,
  kind: MirroredKind,
  wanted: Wanted,
  before: Securable | undefined,
): Securable {
  const { name, via, object, source } = wanted;
  return {
    kind,
    accountId: catalog.accountId,
    metastore: catalog.metastore,
    id: before?.id ?? uuid(),
    parent: parent.id,
    name,
    owner: catalog.owner,
    ...(before?.grants && { grants: before.grants }),
    createdAt: source?.createdAt ?? catalog.createdAt,
    createdBy: SYSTEM_USER,
    updatedAt: source?.updatedAt ?? catalog.createdAt,
    updatedBy: SYSTEM_USER,
    fields: fieldsOf(kind, wanted, catalog, parent),
    extra: {
      // Read-only, and not counted by the receiving metastore's limits.
      system: true,
      via,
      ...(source && kind !== 'schema' && { source: source.id, ...extraOf(kind, source) }),
      ...(object && { object: sharedKey(object) }),
    },
  };
}

function fieldsOf(
  kind: MirroredKind,
  { name, object, source }: Wanted,
  catalog: Securable,
  schema: Securable,
): JsonMembers {
  const fields = source?.fields ?? {};
  const said = object?.type === 'SCHEMA' && kind !== 'schema' ? undefined : object?.fields.comment;
  const comment = said ?? fields.comment;
  if (kind === 'schema') return omitAbsent({ comment });
  if (kind === 'volume') return omitAbsent({ volume_type: fields.volume_type, comment });
  if (kind === 'registered_model') return omitAbsent({ comment });
  if (kind === 'function') return omitAbsent({ ...fields, comment });
  const isView = fields.table_type === 'VIEW' || fields.table_type === 'METRIC_VIEW';
  const address = `${catalog.name}.${schema.name}.${name}`;
  return omitAbsent({
    // As the real service shows them. The definition of a view stays with the provider.
    table_type: isView ? 'VIEW' : 'MANAGED',
    data_source_format: 'DELTASHARING',
    storage_location: `uc-deltasharing://${address}#${address}`,
    comment,
  });
}

function extraOf(kind: MirroredKind, source: Securable): JsonMembers {
  const { schema, columns, lastVersion, aliases, tags } = source.extra ?? {};
  if (kind === 'table') return omitAbsent({ schema, columns });
  if (kind === 'volume') return { tree: treeOfVolume(source) };
  return kind === 'registered_model' ? omitAbsent({ lastVersion, aliases, tags }) : {};
}
