import { uuid } from '../../../kernel/ids/index.ts';
import { entityShape } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { type DataSet, dataSets, type Mapping, mappings } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { QUOTAS } from '../limits.ts';
import { invalid, MAPPING_BODY, read } from '../model/body.ts';
import { type ChildKind, type ChildWriting, COMMON_SHAPE, ownedOf } from '../model/child.ts';
import { canMap, type KindProperties, placeOf, sameProperties } from '../model/kinds.ts';
import { findSubscription, type SubscriptionPlace } from '../model/places.ts';
import { checkStorageUse, type StorageUse, takeStorage, useOf } from '../model/storage-owner.ts';
import { forgetMapping } from '../runs/ledger.ts';
import { TYPES } from '../types.ts';

/** A mapping: the target to which a consumer copies a data set. */

export const MAPPING: ChildKind<Mapping, SubscriptionPlace> = {
  type: TYPES.mapping,
  operations: 'DataSetMappings',
  params: ['accountName', 'shareSubscriptionName', 'dataSetMappingName'],
  collection: mappings,
  quota: QUOTAS.mapping,
  findParent: findSubscription,
  notFound: (name, { subscription }) =>
    dataShareErrors.DataSetMappingNotFound({ name, subscription: subscription.name }),
  shape: entityShape<Mapping>({
    name: 'data set mappings',
    collection: mappings,
    properties: {
      ...COMMON_SHAPE,
      kind: { type: 'Edm.String', field: 'kind' },
      dataSetId: { type: 'Edm.String', field: 'dataSetId' },
    },
    scan: 'bounded',
  }),
  show: (it) => viewOf(it, 'Ok'),
  showAll: (documents, reader) =>
    Promise.all(documents.map(async (it) => viewOf(it, (await sourceOf(reader, it)) ? 'Ok' : 'Broken'))),
};

const viewOf = ({ kind, dataSetId, properties }: Mapping, dataSetMappingStatus: 'Ok' | 'Broken') => ({
  kind,
  properties: { ...properties, dataSetId, dataSetMappingStatus, provisioningState: 'Succeeded' },
});

/** The data set of a mapping. Returns undefined if the provider has removed it from the share. */
export async function sourceOf(reader: Pick<Reader, 'get'>, it: Mapping): Promise<DataSet | undefined> {
  const found = (await reader.get(dataSets, it.dataSetKey, 'none'))?.value;
  return found?.uid === it.dataSetId ? found : undefined;
}

interface Prepared {
  readonly kind: string;
  readonly dataSetId: string;
  readonly properties: KindProperties;
  readonly use: StorageUse | undefined;
}

export const MAPPING_WRITING: ChildWriting<Mapping, SubscriptionPlace, Prepared> = {
  body: MAPPING_BODY.schema(),
  async prepare(call, arm) {
    const { kind, properties } = read(MAPPING_BODY, call.body, arm.view.rules);
    const { dataSetId, ...others } = properties;
    const use = await checkStorageUse(call, arm, useOf(others));
    return { kind, dataSetId: String(dataSetId).toLowerCase(), properties: others, use };
  },
  async write({ tx, call, parent, existing, prepared, key, ...write }) {
    const { kind, dataSetId, properties, use } = prepared;
    const { key: dataSetKey, value: source } = await findDataSet(tx, parent, dataSetId);
    if (!canMap(source.kind, kind))
      throw dataShareErrors.InvalidDataSetMapping({ kind: source.kind, target: kind }, { target: 'kind' });
    refuseCircle(source, kind, properties);
    await refuseSecond(tx, parent, dataSetId, write.name);
    await takeStorage(tx, use);
    const document: Mapping = { ...ownedOf(write), subscription: parent.uid, dataSetId, dataSetKey, kind, properties };
    if (!existing || samePlace(existing, document)) return document;
    // The copy ledger of the old target does not apply to the new one.
    await forgetMapping(tx, existing, call.jar);
    return { ...document, uid: uuid() };
  },
  location: (call) => `${call.origin}${call.url}`,
};

async function findDataSet(tx: Tx, { subscription }: SubscriptionPlace, dataSetId: string) {
  const filter = eq('uid', dataSetId);
  const { items } = await tx.query(dataSets, { prefix: `${subscription.share}/`, filter, limit: 1 });
  if (!items[0] || subscription.status !== 'Active')
    throw invalid('properties.dataSetId', `the share has no data set '${dataSetId}'`);
  return items[0];
}

/** A data set copied into itself would grow with every run. */
function refuseCircle(source: DataSet, kind: string, properties: KindProperties): void {
  const [from, to] = [placeOf(source.kind, source.properties), placeOf(kind, properties)];
  if (!from || !to || from.account !== to.account || from.container !== to.container) return;
  const isWithin = (inner: string, outer: string): boolean => outer === '' || `${inner}/`.startsWith(`${outer}/`);
  if (isWithin(from.path, to.path) || isWithin(to.path, from.path))
    throw invalid('properties.storageAccountName', 'it is the location of the data set itself');
}

async function refuseSecond(tx: Tx, { uid }: SubscriptionPlace, dataSetId: string, name: string): Promise<void> {
  const filter = allOf(eq('dataSetId', dataSetId), { op: 'ne', field: 'name', value: name.toLowerCase() });
  const { items } = await tx.query(mappings, { prefix: `${uid}/`, filter, limit: 1 });
  if (items[0]) throw dataShareErrors.DataSetMapped({ id: dataSetId, name: items[0].value.name });
}

const samePlace = (one: Mapping, other: Mapping): boolean =>
  one.kind === other.kind && one.dataSetId === other.dataSetId && sameProperties(one.properties, other.properties);
