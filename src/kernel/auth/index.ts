export { ANY_AUDIENCE, isOwnOrigin, normalAudience } from './audience.ts';
export { bearerToken } from './bearer.ts';
export type { Caller } from './caller.ts';
export { type Application, applications, type Tenant, tenants, type User, users } from './directory.ts';
export { hashPassword, newSecret, passwordMatches, sameText, sha256 } from './secrets.ts';
export { OTHER_TENANT, SEED_TENANT } from './seed.ts';
export { DEFAULT_LIFETIME_SECONDS, issuerOf, TokenError } from './tokens.ts';
export { Vault } from './vault.ts';
