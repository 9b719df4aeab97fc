import type { Sealer } from '../../kernel/store/index.ts';
import type { EventSubscription } from './collections.ts';
import type { Definition } from './definition.ts';

/** Event subscriptions in a snapshot file without secrets: the address of a web hook is kept without its query. */

const PLACES = ['live', 'failed'] as const;

export function withoutSecrets(subscription: EventSubscription): EventSubscription {
  return mapDefinitions(subscription, ({ sealed, ...rest }) => rest);
}

/** Web hooks are sent to the sealed address; without one, the subscription would have no destination. */
export function withBaseAddress(subscription: EventSubscription, sealer: Pick<Sealer, 'seal'>): EventSubscription {
  return mapDefinitions(subscription, (definition) => {
    const endpointUrl = definition.destination?.properties.endpointBaseUrl;
    return definition.sealed !== undefined || endpointUrl === undefined
      ? definition
      : { ...definition, sealed: sealer.seal(JSON.stringify({ endpointUrl })) };
  });
}

/** Returns the same object if no definition changes. */
function mapDefinitions(
  subscription: EventSubscription,
  change: (definition: Definition) => Definition,
): EventSubscription {
  let changed = subscription;
  for (const place of PLACES) {
    const definition = subscription[place];
    const next = definition && hasToChange(definition, change);
    if (next) changed = { ...changed, [place]: next };
  }
  const { pending } = subscription;
  const next = pending && hasToChange(pending.definition, change);
  return next ? { ...changed, pending: { ...pending, definition: next } } : changed;
}

function hasToChange(definition: Definition, change: (definition: Definition) => Definition): Definition | undefined {
  const next = change(definition);
  return next.sealed === definition.sealed ? undefined : next;
}
