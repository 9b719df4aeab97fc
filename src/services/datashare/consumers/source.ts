import { Type } from 'typebox';
import { listPage, withPrefix } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { LIST_QUERY } from '../../../kernel/odata/index.ts';
import { type DataSet, dataSets, synchronizationSettings } from '../collections.ts';
import { armCode } from '../jar.ts';
import { pathOf } from '../model/kinds.ts';
import { cachedReader, findSubscription } from '../model/places.ts';
import { scheduleView } from '../shares/setting.ts';
import { NAMESPACE, TYPES } from '../types.ts';

/** The consumer's view of the source share. It shows something only while the share subscription is active. */

export const SOURCE = {
  type: TYPES.source,
  operations: 'ConsumerSourceDataSets',
  params: ['accountName', 'shareSubscriptionName', 'consumerSourceDataSetName'],
} as const;

const PARAMS = ['accountName', 'shareSubscriptionName'] as const;

export const listSourceDataSets = armCode(PARAMS, {
  query: Type.Object(LIST_QUERY),
  async handle(call, arm) {
    const { id, subscription } = await findSubscription(cachedReader(call.jar.store), arm, call.params);
    if (subscription.status !== 'Active') return ok({ value: [] });
    const source = { prefix: `${subscription.share}/`, order: [{ field: 'name' }] };
    return listPage(call, dataSets, source, (it: DataSet) => ({
      id: withPrefix(`${id}/consumerSourceDataSets/${it.uid}`, arm.prefix),
      name: it.name,
      type: withPrefix(`${NAMESPACE}/${TYPES.source}`, arm.prefix),
      systemData: it.systemData,
      properties: {
        dataSetId: it.uid,
        dataSetLocation: null,
        dataSetName: it.name,
        dataSetPath: pathOf(it.kind, it.properties),
        dataSetType: it.kind,
      },
    }));
  },
});

/** Supports pages only, without `$filter` and `$orderby`. */
export const listSourceSettings = armCode(PARAMS, {
  query: Type.Object({ $skiptoken: LIST_QUERY.$skiptoken }),
  async handle(call, arm) {
    const { subscription } = await findSubscription(cachedReader(call.jar.store), arm, call.params);
    if (subscription.status !== 'Active') return ok({ value: [] });
    const source = { prefix: `${subscription.share}/`, order: [{ field: 'name' }] };
    return listPage(call, synchronizationSettings, source, (it) => ({
      kind: 'ScheduleBased',
      properties: scheduleView(it),
    }));
  },
});
