export { ANY_AUDIENCE, isOwnOrigin, normalAudience } from './audience.ts';
export { bearerToken } from './bearer.ts';
export type { Caller } from './caller.ts';
export { type Application, applications, type Tenant, tenants, type User, users } from './directory.ts';
export type { Lifetime, Lifetimes } from './lifetimes.ts';
export { hashPassword, newSecret, passwordMatches, sameText, sha256 } from './secrets.ts';
export { OTHER_TENANT, SEED_TENANT } from './seed.ts';
export { type IssuedToken, issuerOf, lifetimeOf, TIMES_UNCHECKED, TokenError, WALL_EXPIRY_CLAIM } from './tokens.ts';
export { Vault } from './vault.ts';
