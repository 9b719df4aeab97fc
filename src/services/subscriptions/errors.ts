import { errorTable } from '../../kernel/http/index.ts';

/** Errors of this provider. Answers have code and message at two levels: see `family.ts`. */
export const subscriptionErrors = errorTable({
  // bodies
  MissingParameter: [400, "The required property '{name}' is missing."],
  InvalidParameter: [400, "The property '{name}' is not valid: {reason}."],
  InvalidBillingScope: [
    400,
    "The billing scope '{scope}' is not valid: it must be /billingAccounts/<account>/billingProfiles/<profile>/invoiceSections/<section>, /billingAccounts/<account>/customers/<customer> or /billingAccounts/<account>/enrollmentAccounts/<account>, with or without /providers/Vendor.Billing in front.",
  ],
  BillingScopeNotFound: [400, "There is no billing scope '{scope}'."],
  InvalidManagementGroupId: [400, "The management group '{group}' is not valid: {reason}."],
  InvalidSubscriptionOwnerId: [
    400,
    "The owner '{owner}' is neither a user nor an application of the tenant '{tenant}'.",
  ],
  InvalidSubscriptionTenantId: [400, "The tenant '{tenant}' could not be found."],
  InvalidSubscriptionId: [400, "The subscription id '{subscription}' is not a GUID."],
  UnknownReseller: [400, "The customer '{customer}' has no reseller '{reseller}'."],

  // permissions
  Forbidden: [403, '{reason}'],
  UserNotAuthorized: [403, "'{client}' is not authorized to create subscriptions on the billing scope '{scope}'."],
  SubscriptionsLeavingTenantBlocked: [403, "The policy of the tenant '{tenant}' does not let subscriptions leave it."],
  SubscriptionsIntoTenantBlocked: [403, "The policy of the tenant '{tenant}' does not let subscriptions enter it."],
  TransferNotAllowed: [
    403,
    "The billing account '{account}' does not allow subscriptions in the tenant '{tenant}', which is not one of its service tenants.",
  ],

  // missing resources and states
  AliasNotFound: [404, "The alias '{alias}' could not be found."],
  SubscriptionNotFound: [404, "The subscription '{subscription}' could not be found."],
  SubscriptionOperationNotFound: [404, "The operation '{operation}' could not be found."],
  ResourceNotFound: [404, "There is no '{name}' in the billing account '{account}'."],
  BillingAccountNotFound: [404, "The billing account '{account}' could not be found."],
  AliasConflict: [
    409,
    "The alias '{alias}' already belongs to the subscription '{existing}'; it cannot refer to '{given}'.",
  ],
  OwnershipNotPending: [409, "The ownership of the subscription '{subscription}' cannot be accepted: it is {state}."],
  SubscriptionNotActive: [409, "The subscription '{subscription}' is not active: it is {state}."],
  SubscriptionHasResources: [
    409,
    "The subscription '{subscription}' has {count} resources; delete them first, or cancel it with IgnoreResourceCheck=true.",
  ],
  TooManyRequests: [429, 'Too many subscriptions were created. Try again in {seconds} seconds.'],
});
