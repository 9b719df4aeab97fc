import { Type } from 'typebox';
import { type AnyArmCode, type ArmFacts, listPage, mutate, resources } from '../../../kernel/arm/index.ts';
import { type ApiError, noContent, ok } from '../../../kernel/http/index.ts';
import { entityShape, LIST_QUERY } from '../../../kernel/odata/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { eventErrors } from '../errors.ts';
import { armCode, type EventsJar } from '../jar.ts';
import { FullUrlView } from '../subscriptions/schema.ts';
import { keyIn, notFound } from '../topics/find.ts';
import { lockChannel, removeChannel } from './channel-store.ts';
import { ChannelsView, ChannelView, channelView } from './channel-view.ts';
import { type Channel, channels } from './collections.ts';
import { PARTNER_NAMESPACE, PARTNER_NAMESPACE_TYPE } from './kinds.ts';

/** Routes common to channels and event channels: GET, DELETE and the list. */

export const PARAMS = ['partnerNamespaceName', 'channelName'] as const;

type Named = Readonly<Record<(typeof PARAMS)[number], string>>;
type Form = Channel['form'];

export const channelKeyIn = (arm: ArmFacts, { partnerNamespaceName, channelName }: Named, form: Form): string =>
  `${keyIn(arm, PARTNER_NAMESPACE, partnerNamespaceName)}/${form}/${channelName}`.toLowerCase();

export const channelNotFound = (arm: ArmFacts, { partnerNamespaceName, channelName }: Named, form: Form): ApiError =>
  notFound(arm, `${PARTNER_NAMESPACE_TYPE}/${form}`, `${partnerNamespaceName}/${channelName}`);

async function findChannel(jar: EventsJar, arm: ArmFacts, params: Named, form: Form): Promise<Channel> {
  const stored = await readCached(jar.store, channels, channelKeyIn(arm, params, form));
  if (!stored) throw channelNotFound(arm, params, form);
  return stored.value;
}

const SHAPE = entityShape<Channel>({
  name: 'channels',
  collection: channels,
  properties: { name: { type: 'Edm.String', field: 'name', ignoreCase: true } },
  scan: 'bounded',
});

export const channelCode = (form: Form): Readonly<Record<'get' | 'remove' | 'list', AnyArmCode>> => ({
  get: armCode(PARAMS, {
    responses: { 200: ChannelView },
    async handle({ jar, params }, arm) {
      return ok(channelView(await findChannel(jar, arm, params, form), arm));
    },
  }),
  remove: armCode(PARAMS, {
    responses: { 204: 'Deleted, or did not exist' },
    async handle(call, arm) {
      const { jar, params } = call;
      await mutate(call, async (tx) => {
        const channel = await lockChannel(tx, channelKeyIn(arm, params, form));
        if (channel) await removeChannel(tx, jar, channel);
      });
      return noContent();
    },
  }),
  list: armCode(['partnerNamespaceName'], {
    query: Type.Object(LIST_QUERY),
    responses: { 200: ChannelsView },
    async handle(call, arm) {
      const { partnerNamespaceName: name } = call.params;
      const namespace = keyIn(arm, PARTNER_NAMESPACE, name);
      if (!(await readCached(call.jar.store, resources, namespace))) throw notFound(arm, PARTNER_NAMESPACE_TYPE, name);
      const prefix = `${namespace}/${form.toLowerCase()}/`;
      return listPage(call, channels, { shape: SHAPE, prefix }, (channel) => channelView(channel, arm));
    },
  }),
});

/** Address of a partner destination, with its query. */
export const getFullUrl: AnyArmCode = armCode(PARAMS, {
  responses: { 200: FullUrlView },
  async handle(call, arm) {
    const { jar, params } = call;
    const { name, sealed = '' } = await findChannel(jar, arm, params, 'channels');
    const endpointUrl = jar.vault.tryOpen(sealed);
    if (endpointUrl === undefined) {
      const reason = `The channel '${name}' has no address, because it does not lead to a partner destination.`;
      throw eventErrors.InvalidRequest({ reason });
    }
    await mutate(call, async () => {});
    return ok({ endpointUrl });
  },
});
