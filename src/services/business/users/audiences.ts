/** The resource identifiers that mean "the business application" when a token is asked for. */
export const BUSINESS_AUDIENCES: readonly string[] = [
  'https://api.businesscentral.vendor.example',
  'https://api.businesscentral.dynamics.com',
];
