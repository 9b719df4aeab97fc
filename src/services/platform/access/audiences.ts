/** The resource identifiers that mean "the data platform" when a token is asked for. The second is that of the real service. */
export const PLATFORM_AUDIENCES: readonly string[] = [
  'https://platform.vendor.example',
  '2ff814a6-3304-4ab8-85cb-cd0e6f879c1d',
  'api://2ff814a6-3304-4ab8-85cb-cd0e6f879c1d',
];

/** Of tokens that the platform's own `/oidc` gives out. Nobody can ask the directory for it. */
export const OIDC_AUDIENCE = 'urn:cloudjar:platform';

/** In such a token: the account and the id of the principal. */
export const ACCOUNT_CLAIM = 'platform_account';
export const PRINCIPAL_CLAIM = 'platform_principal';
/** The workspace that it is good in, where it was exchanged for a personal access token. */
export const WORKSPACE_CLAIM = 'platform_workspace';
