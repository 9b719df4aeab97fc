import { Type } from 'typebox';
import { noContent, ok, type Route } from '../kernel/http/index.ts';
import { listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { destinationShape } from './deliveries/destinations.ts';
import { deliveryErrors } from './deliveries/errors.ts';
import { forAllMatching, getDelivery, refuseUnknownPolicy } from './deliveries/matching.ts';
import { deliveryShape, FILTERS, FiltersSchema, ownFilterOf, withDigests } from './deliveries/select.ts';
import {
  DeliveryDetail,
  DeliveryView,
  DestinationView,
  deliveryDetail,
  deliveryView,
  destinationView,
  readersDetail,
  readersView,
} from './deliveries/views.ts';
import { isReader, route } from './family.ts';

const { $filter: _, ...OWN_FILTERS } = FILTERS;
const ListQuery = listQuery(deliveryShape, OWN_FILTERS);

/** Deliveries: their state, why each attempt failed, and replay. */
export const deliveryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/deliveries',
    operation: 'Jar_ListDeliveries',
    summary: 'Outbound deliveries, newest first, with their outcomes and the rules that decided them',
    query: ListQuery,
    responses: { 200: listOf(DeliveryView) },
    handle(call) {
      return listAnswer(call, {
        shape: deliveryShape,
        filter: ownFilterOf(call.query),
        rewrite: withDigests,
        order: [{ field: 'key', descending: true }],
        view: (item) => (isReader(call) ? readersView(deliveryView(item)) : deliveryView(item)),
      });
    },
  }),
  route({
    method: 'GET',
    path: '/_jar/deliveries/destinations',
    operation: 'Jar_ListDestinations',
    summary: 'Failing destinations: number of failures, since when, and until when nothing is sent to them',
    query: listQuery(destinationShape(0)),
    responses: { 200: listOf(DestinationView) },
    handle: (call) =>
      listAnswer(call, {
        shape: destinationShape(call.receivedAt),
        view: (item) => destinationView(call.jar, item),
      }),
  }),
  route({
    method: 'GET',
    path: '/_jar/deliveries/{id}',
    operation: 'Jar_GetDelivery',
    summary: 'One delivery with its attempts and its body',
    responses: { 200: DeliveryDetail },
    async handle({ jar, params: { id }, facts }) {
      const detail = await deliveryDetail(jar, await getDelivery(jar.store, id));
      return ok(isReader({ facts }) ? readersDetail(detail) : detail);
    },
  }),
  route({
    method: 'POST',
    path: '/_jar/deliveries/{id}/replay',
    operation: 'Jar_ReplayDelivery',
    summary: 'Sends one delivery again, with a full number of attempts and a full time to live',
    responses: { 200: DeliveryView },
    async handle({ jar, params: { id } }) {
      const replayed = await jar.store.transact(async (tx) => {
        const stored = await getDelivery(tx, id);
        refuseUnknownPolicy(jar, stored);
        return { ...stored, value: await jar.delivery.replay(tx, stored) };
      });
      return ok(deliveryView(replayed));
    },
  }),
  route({
    method: 'POST',
    path: '/_jar/deliveries/replay',
    operation: 'Jar_ReplayDeliveries',
    summary: 'Sends all deliveries that match the filters again; at least one filter is required',
    query: FiltersSchema,
    responses: { 200: Type.Object({ replayed: Type.Integer() }) },
    async handle({ jar, query }) {
      if (Object.keys(query).length === 0) throw deliveryErrors.FilterNeeded({}, { target: 'state' });
      const replayed = await forAllMatching(jar, query, async (tx, stored) => {
        if (!jar.delivery.policies.has(stored.value.policy)) return false;
        await jar.delivery.replay(tx, stored);
        return true;
      });
      return ok({ replayed });
    },
  }),
  route({
    method: 'DELETE',
    path: '/_jar/deliveries/{id}',
    operation: 'Jar_RemoveDelivery',
    summary: 'Removes one delivery; a queued one is not sent any more',
    responses: { 204: 'Removed' },
    async handle({ jar, params: { id } }) {
      await jar.store.transact(async (tx) => jar.delivery.remove(tx, await getDelivery(tx, id)));
      return noContent();
    },
  }),
  route({
    method: 'DELETE',
    path: '/_jar/deliveries',
    operation: 'Jar_RemoveDeliveries',
    summary:
      'Removes all deliveries that match the filters, or all without a filter; queued ones are not sent any more',
    query: FiltersSchema,
    responses: { 200: Type.Object({ removed: Type.Integer() }) },
    async handle({ jar, query }) {
      const removed = await forAllMatching(jar, query, (tx, stored) => jar.delivery.remove(tx, stored));
      return ok({ removed });
    },
  }),
];
