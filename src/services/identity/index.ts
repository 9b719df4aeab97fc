import type { Service } from '../../kernel/service/index.ts';
import { attempts, deviceCodes, FORGET, grants, sessions } from './collections.ts';
import { IDENTITY_FAMILY } from './family.ts';
import { IDENTITY_LIMITS } from './limits.ts';

/** Signs in users and applications, and issues the tokens that all other services check. */
export const IDENTITY: Service = {
  name: 'identity',
  title: 'Sign-in and tokens',
  family: IDENTITY_FAMILY,
  mounts: ['/common', '/organizations', '/adfs', '/devicelogin'],
  claims: ['oauth2', 'v2.0', '.well-known', 'discovery', 'openid', 'login'].map((word) => `/{tenant}/${word}`),
  collections: [sessions, grants, deviceCodes, attempts],
  limits: IDENTITY_LIMITS,
  work: [FORGET],
  open: async () => (await import('./open.ts')).openIdentity(),
};
