import { asJson, type ValueOf } from '../../../kernel/arm/body/index.ts';
import { type ResourceDefinition, systemDataAfter } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { EventsJar } from '../jar.ts';
import { NAME, NAME_RULE } from '../topics/names.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { REGISTRATION_BODY, readPartner } from './body.ts';
import { REGISTRATION } from './kinds.ts';
import { badName } from './names.ts';
import { removeOf } from './remove.ts';
import { partnerView } from './view.ts';

/** Partner registrations. Customers authorize a partner by its immutable id. */
export const REGISTRATION_DEFINITION: ResourceDefinition<ValueOf<typeof REGISTRATION_BODY>, undefined, EventsJar> = {
  ...REGISTRATION,
  versions: EVENT_VERSIONS,
  body: REGISTRATION_BODY.schema(),
  namePattern: NAME,
  badName: badName('partner registration', NAME_RULE),
  alwaysOk: true,
  prepare: (call, arm, { body }) => readPartner(REGISTRATION_BODY, call, arm, body),
  write({ call, existing, prepared }) {
    return {
      properties: {
        provisioningState: 'Succeeded',
        partnerRegistrationImmutableId: existing?.properties.partnerRegistrationImmutableId ?? uuid(),
        visibilityState: 'Hidden',
        ...asJson(prepared.properties ?? {}),
      },
      extra: { systemData: systemDataAfter(call, existing?.extra.systemData) },
    };
  },
  view: partnerView,
  remove: removeOf(REGISTRATION, 200),
};
