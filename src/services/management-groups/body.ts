import {
  bodyFields,
  type Field,
  gatewayWording,
  readBody,
  type ValueOf,
  type Wording,
} from '../../kernel/arm/body/index.ts';
import { groupErrors } from './errors.ts';

const { object, text, boolean } = bodyFields();

/** Messages of the gateway under this provider's one error code. */
const WORDING: Wording = (kind, spot, expected) => {
  const { message: reason, target } = gatewayWording(kind, spot, expected);
  return groupErrors.BadRequest({ reason }, target === undefined ? {} : { target });
};

const displayName = text({ pattern: /^[^\p{Cc}]{0,256}$/u, rule: 'it must be at most 256 printable characters' });

export const GROUP_BODY = object({
  name: text(),
  properties: object({
    displayName,
    details: object({ parent: object({ id: text() }) }),
  }),
});

export const GROUP_PATCH = object({ displayName, parentGroupId: text() });

export const NAME_BODY = object({ name: text({ required: true, emptyIsValue: true }), type: text({ required: true }) });

export const SETTINGS_BODY = object({
  properties: object(
    { requireAuthorizationForGroupCreation: boolean(), defaultManagementGroup: text() },
    { implied: true },
  ),
});

/** The parsed body; throws one error that lists every mistake. */
export function bodyValue<F extends Field<unknown, unknown>>(field: F, body: unknown): ValueOf<F> {
  const reading = readBody(field, body, { context: undefined, wording: WORDING });
  reading.mistakes.throwAny();
  return reading.value as ValueOf<F>;
}
