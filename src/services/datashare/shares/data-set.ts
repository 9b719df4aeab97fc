import { entityShape } from '../../../kernel/odata/index.ts';
import { type DataSet, dataSets } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { QUOTAS } from '../limits.ts';
import { DATA_SET_BODY, read } from '../model/body.ts';
import { type ChildKind, type ChildWriting, COMMON_SHAPE, ownedOf } from '../model/child.ts';
import { type KindProperties, sameProperties } from '../model/kinds.ts';
import { findShare, type SharePlace } from '../model/places.ts';
import { checkStorageUse, type StorageUse, takeStorage, useOf } from '../model/storage-owner.ts';
import { TYPES } from '../types.ts';

/** A data set: a file, folder, container or table in a share. */

export const DATA_SET: ChildKind<DataSet, SharePlace> = {
  type: TYPES.dataSet,
  operations: 'DataSets',
  params: ['accountName', 'shareName', 'dataSetName'],
  collection: dataSets,
  quota: QUOTAS.dataSet,
  findParent: findShare,
  notFound: (name, { share }) => dataShareErrors.DataSetNotFound({ name, share: share.name }),
  shape: entityShape<DataSet>({
    name: 'data sets',
    collection: dataSets,
    properties: { ...COMMON_SHAPE, kind: { type: 'Edm.String', field: 'kind' } },
    scan: 'bounded',
  }),
  show: ({ kind, uid, properties }) => ({ kind, properties: { ...properties, dataSetId: uid } }),
};

interface Prepared {
  readonly kind: string;
  readonly properties: KindProperties;
  readonly use: StorageUse | undefined;
}

export const DATA_SET_WRITING: ChildWriting<DataSet, SharePlace, Prepared> = {
  body: DATA_SET_BODY.schema(),
  async prepare(call, arm) {
    const { kind, properties } = read(DATA_SET_BODY, call.body, arm.view.rules);
    const use = await checkStorageUse(call, arm, useOf(properties));
    return { kind, properties, use };
  },
  async write({ tx, call, parent, existing, prepared, ...write }) {
    const { kind, properties, use } = prepared;
    // Consumers have mapped this data set, so its place cannot change; another place needs another data set.
    if (existing && (existing.kind !== kind || !sameProperties(existing.properties, properties)))
      throw dataShareErrors.DataSetExists({ name: existing.name });
    await takeStorage(tx, use);
    return { ...ownedOf(write), share: parent.uid, kind, properties };
  },
  location: (call) => `${call.origin}${call.url}`,
};
