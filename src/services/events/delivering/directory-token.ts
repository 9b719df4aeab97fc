import type { Jar } from '../../../kernel/jar-context.ts';

/** The application id of the event service in every directory. */
const EVENT_SERVICE = '4962773b-9cdb-44cf-a8bf-237846a00ab7';
const RENEW_BEFORE_MS = 5 * 60_000;

interface Kept {
  readonly token: string;
  readonly until: number;
}

const kept = new WeakMap<Jar, Map<string, Kept>>();

/** Proves to a protected endpoint that the event service calls: a token of the tenant and for the application that the subscription names. */
export async function directoryToken(jar: Jar, tenantId: string, audience: string): Promise<string> {
  let tokens = kept.get(jar);
  if (!tokens) {
    tokens = new Map();
    kept.set(jar, tokens);
  }
  const name = `${tenantId} ${audience}`;
  const known = tokens.get(name);
  const now = jar.clock.now();
  if (known && known.until > now && known.until - now < 2 * 3_600_000) return known.token;
  const { token, expiresIn } = await jar.tokens.issue({
    origin: `https://localhost:${jar.addresses.httpsPort}`,
    tenantId,
    audience,
    applicationId: EVENT_SERVICE,
    version: '1.0',
    subject: { kind: 'application', objectId: EVENT_SERVICE, displayName: 'Event service' },
    applicationProof: '1',
  });
  tokens.set(name, { token, until: now + expiresIn * 1000 - RENEW_BEFORE_MS });
  return token;
}
