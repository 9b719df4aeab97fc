/** Resource identifiers that request a token for the data platform. The second is the real service's. */
export const PLATFORM_AUDIENCES: readonly string[] = [
  'https://platform.vendor.example',
  '2ff814a6-3304-4ab8-85cb-cd0e6f879c1d',
  'api://2ff814a6-3304-4ab8-85cb-cd0e6f879c1d',
];

/** Audience of the tokens that the platform's own `/oidc` issues. The directory does not issue tokens for it. */
export const OIDC_AUDIENCE = 'urn:cloudjar:platform';

/** Claims of such a token: the account and the id of the principal. */
export const ACCOUNT_CLAIM = 'platform_account';
export const PRINCIPAL_CLAIM = 'platform_principal';
/** Claim with the only workspace in which the token is valid; set if it was exchanged for a personal access token. */
export const WORKSPACE_CLAIM = 'platform_workspace';
