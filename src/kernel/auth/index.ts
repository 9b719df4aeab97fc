export { ANY_AUDIENCE, isOwnOrigin, normalAudience } from './audience.ts';
export { bearerToken } from './bearer.ts';
export { type BearerFault, bearerChallenge, bearerStep, faultReason } from './bearer-step.ts';
export type { Caller } from './caller.ts';
export { readCertificate } from './certificates.ts';
export { type Application, applications, type Tenant, tenants, type User, users } from './directory.ts';
export { knownOrigin } from './known-origin.ts';
export type { Lifetime, Lifetimes } from './lifetimes.ts';
export { hashPassword, newSecret, passwordMatches, sameText, sha256 } from './secrets.ts';
export { OTHER_TENANT, SEED_TENANT } from './seed.ts';
export { MOST_SIGN_INS, recordSignIn, type SignIn, signIns } from './sign-ins.ts';
export {
  DEFAULT_LIFETIME_SECONDS,
  type IssuedToken,
  issuerOf,
  lifetimeOf,
  READ_ONLY_CLAIM,
  TIMES_UNCHECKED,
  TokenError,
  WALL_EXPIRY_CLAIM,
} from './tokens.ts';
export { Vault } from './vault.ts';
