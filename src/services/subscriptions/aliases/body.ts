import { readBody, type ValueOf, type VersionRules } from '../../../kernel/arm/body/index.ts';
import { checkTags, isGuid } from '../../../kernel/arm/index.ts';
import { WORKLOADS } from '../billing/offers.ts';
import { parseBillingScope } from '../billing/scope.ts';
import { subscriptionErrors } from '../errors.ts';
import { abbreviated, displayName, fields, guid, tags, wording } from '../fields.ts';

const { object, text, word } = fields;

/** The limit keeps lists small: aliases are listed with their scopes, a hundred per page. */
const LONGEST_BILLING_SCOPE = 1024;

const PROPERTIES = object(
  {
    displayName: displayName(),
    workload: word(WORKLOADS),
    billingScope: text({
      pattern: new RegExp(`^.{0,${LONGEST_BILLING_SCOPE}}$`, 's'),
      rule: `it must be at most ${LONGEST_BILLING_SCOPE} characters`,
      check(scope, at) {
        if (!parseBillingScope(scope, at.context.aliases))
          at.wrong(({ target }) => subscriptionErrors.InvalidBillingScope({ scope: abbreviated(scope) }, { target }));
      },
    }),
    subscriptionId: text({
      check(subscription, at) {
        if (!isGuid(subscription))
          at.wrong(({ target }) =>
            subscriptionErrors.InvalidSubscriptionId({ subscription: abbreviated(subscription) }, { target }),
          );
      },
    }),
    resellerId: text({ pattern: /^\d{1,64}$/, rule: 'it must be 1 to 64 digits' }),
    additionalProperties: object(
      {
        managementGroupId: text(),
        subscriptionOwnerId: guid(),
        subscriptionTenantId: guid(),
        tags: tags(),
      },
      { implied: true },
    ),
  },
  { implied: true },
);

export const ALIAS_BODY = object({ properties: PROPERTIES });

export type AliasRequest = ValueOf<typeof PROPERTIES>;

export function readAlias(body: unknown, rules: VersionRules | undefined, aliases: readonly string[]): AliasRequest {
  const reading = readBody(ALIAS_BODY, body, { context: { aliases }, rules, wording });
  reading.mistakes.throwAny();
  const { properties } = reading.value;
  checkTags(properties.additionalProperties.tags);
  return properties;
}
