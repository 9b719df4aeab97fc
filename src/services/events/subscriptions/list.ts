import { Type } from 'typebox';
import {
  canonicalNamespace,
  listPage,
  normalLocation,
  queryValue,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import type { Answer } from '../../../kernel/http/index.ts';
import { entityShape, LIST_QUERY } from '../../../kernel/odata/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { PARAMS, placeOf } from './place.ts';
import { ListView } from './schema.ts';
import { readParent } from './scope.ts';
import { EXTENSION_TYPE } from './types.ts';
import { subscriptionView } from './view.ts';

const RULES = { size: 20, most: 100, top: 'page' } as const;

/** Lists can be filtered by name only. */
const shape = entityShape<EventSubscription>({
  name: 'event subscriptions',
  collection: eventSubscriptions,
  properties: { name: { type: 'Edm.String', field: 'name', ignoreCase: true } },
  scan: 'refused',
});

const common = { query: Type.Object(LIST_QUERY), responses: { 200: ListView } };

/** Subscriptions of one topic or other resource, both at its scope and nested below it. */
export const listAtScope = armCode(PARAMS, {
  ...common,
  async handle(call, arm) {
    const place = placeOf(call, arm);
    await readParent(call.jar, place, arm);
    return page(call, { prefix: place.key });
  },
});

/** Subscriptions in a whole subscription or resource group, by location: global unless a region is named. */
export const listAcross = armCode(['location', 'topicTypeName'], {
  ...common,
  handle(call, arm) {
    const { location, topicTypeName } = call.params as { location?: string; topicTypeName?: string };
    const { subscriptionId } = arm.subscription as Subscription;
    const equal = (field: string, value: string): Filter => ({ op: 'eq', field, value: value.toLowerCase() });
    const args = [
      equal('subscription', subscriptionId),
      equal('location', location === undefined ? 'global' : normalLocation(location)),
      equal('type', EXTENSION_TYPE),
      ...(arm.group ? [equal('group', arm.group.name)] : []),
      ...(topicTypeName === undefined
        ? []
        : [equal('topicType', canonicalNamespace(topicTypeName, call.jar.config.namespace))]),
    ];
    return page(call, { filter: { op: 'and', args } });
  },
});

function page(call: EventsCall, of: { prefix: string } | { filter: Filter }): Promise<Answer> {
  const top = queryValue(call, '$top');
  if (top !== undefined && !(/^\d+$/.test(top) && Number(top) >= 1 && Number(top) <= RULES.most)) {
    const reason = `'$top' has to be a whole number from 1 to ${RULES.most}.`;
    throw eventErrors.InvalidRequest({ reason }, { target: '$top' });
  }
  return listPage(call, eventSubscriptions, { shape, rules: RULES, ...of }, (it) => subscriptionView(call, it));
}
