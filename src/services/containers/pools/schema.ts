import type { DraftOf } from '../../../kernel/arm/body/index.ts';
import { missing } from '../api/complaints.ts';
import { atLeast, boolean, entries, int32, list, object, oneOf, text } from '../api/fields.ts';
import { containerErrors } from '../errors.ts';

export const REFILL_POLICIES = ['always'] as const;
export const POOL_NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{1,22}[a-zA-Z0-9])$/;
const MOST_READY = 2000;

export const POOL = object({
  properties: object(
    {
      containerGroupProperties: object(
        {
          containerGroupProfile: object(
            { id: text({ required: missing }), revision: atLeast(1, 'InvalidRevision') },
            { required: missing },
          ),
          subnetIds: list(object({ id: text({ required: missing }) })),
        },
        { required: missing },
      ),
      elasticityProfile: object(
        {
          maxReadyCapacity: int32({
            required: missing,
            min: 0,
            max: MOST_READY,
            wrong: ({ target, value }) =>
              containerErrors.InvalidCapacity({ value: Number(value), at: target, most: MOST_READY }, { target }),
          }),
          refillPolicy: oneOf(REFILL_POLICIES, 'InvalidRefillPolicy'),
          dynamicSizing: object({ enabled: boolean() }),
        },
        { required: missing },
      ),
      zones: entries('InvalidZone', /^[123]$/),
    },
    { implied: true },
  ),
});

export type PoolBody = DraftOf<typeof POOL>;
export type PoolPropertiesBody = NonNullable<PoolBody['properties']>;
