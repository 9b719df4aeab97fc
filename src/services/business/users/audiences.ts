/** Audiences of tokens for the business application. */
export const BUSINESS_AUDIENCES: readonly string[] = [
  'https://api.businesscentral.vendor.example',
  'https://api.businesscentral.dynamics.com',
];
