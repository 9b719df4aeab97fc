import { mutate } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import type { AttributeMapping, Secrets } from '../definition.ts';
import { eventErrors } from '../errors.ts';
import { armCode } from '../jar.ts';
import { readableSecrets } from '../secrets.ts';
import { findSubscription } from './get.ts';
import { PARAMS, placeOf } from './place.ts';
import { AttributesView, FullUrlView } from './schema.ts';
import { shownDefinition } from './view.ts';

/** Actions that return secrets, which reads leave out; they need more than read permission. */

export const getFullUrl = armCode(PARAMS, {
  responses: { 200: FullUrlView },
  async handle(call, arm) {
    const subscription = await findSubscription(call, arm, placeOf(call, arm));
    const definition = shownDefinition(subscription);
    const endpointUrl = readableSecrets(call.jar.vault, definition).endpointUrl;
    if (endpointUrl === undefined) {
      const reason = `The event subscription '${subscription.name}' has no address, because its destination is not a web hook.`;
      throw eventErrors.InvalidRequest({ reason });
    }
    await mutate(call, async () => {});
    return ok({ endpointUrl });
  },
});

export const getDeliveryAttributes = armCode(PARAMS, {
  responses: { 200: AttributesView },
  async handle(call, arm) {
    const definition = shownDefinition(await findSubscription(call, arm, placeOf(call, arm)));
    const secrets = readableSecrets(call.jar.vault, definition);
    const mappings = definition?.destination?.properties.deliveryAttributeMappings ?? [];
    await mutate(call, async () => {});
    return ok({ value: mappings.map((mapping) => withSecret(mapping, secrets)) });
  },
});

function withSecret(mapping: AttributeMapping, { attributes = {} }: Secrets): AttributeMapping {
  if (!mapping.properties.isSecret) return mapping;
  return { ...mapping, properties: { ...mapping.properties, value: attributes[mapping.name.toLowerCase()] ?? null } };
}
