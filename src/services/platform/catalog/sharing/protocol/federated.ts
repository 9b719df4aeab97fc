import type { JWTPayload } from 'jose';
import { eq, readAll } from '../../../../../kernel/store/index.ts';
import type { PlatformCall } from '../../../jar.ts';
import { ForeignTokenError, unverified, verifyForeign } from '../../../oidc/foreign-token.ts';
import { chainById } from '../../core/chain.ts';
import type { Securable } from '../../core/securables.ts';
import { type RecipientPolicy, recipientPolicies } from '../collections.ts';
import { sharingErrors } from './errors.ts';

/** Recipients that authenticate with tokens of their own issuer, by a federation policy. */

/** A longer token is refused before decoding. */
const LONGEST_TOKEN = 16_384;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export const isForeignToken = (bearer: string): boolean => bearer.length <= LONGEST_TOKEN && JWT.test(bearer);

interface Candidate {
  readonly policy: RecipientPolicy;
  readonly recipient: Securable;
}

const refused = (reason: string) => sharingErrors.UNAUTHENTICATED({ reason });

/** The recipient whose policy accepts the token. `asked` is the recipient id from the path, if any. */
export async function federatedRecipient(
  call: PlatformCall,
  token: string,
  asked: string | undefined,
): Promise<Securable> {
  const claims = unverified(token);
  if (typeof claims?.iss !== 'string') throw refused('The bearer token has no issuer.');
  const candidates = await candidatesFor(call, claims.iss, asked);
  if (candidates.length === 0)
    throw refused(`No federation policy accepts tokens of the issuer '${claims.iss.slice(0, 200)}'.`);
  const meant = candidates.filter(({ policy, recipient }) => rejectedClaim(policy, recipient, claims) === undefined);
  const [first] = meant;
  if (!first) throw refused(mistakes(candidates, claims));
  if (new Set(meant.map(({ recipient }) => recipient.id)).size > 1)
    throw refused(
      'Several recipients accept this token. Use the address of one: /delta-sharing/recipients/<id of the recipient>.',
    );
  await verify(call, token, first.policy);
  return first.recipient;
}

async function candidatesFor(
  { jar }: PlatformCall,
  issuer: string,
  asked: string | undefined,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const { value: policy } of await readAll(jar.store, recipientPolicies, { filter: eq('issuer', issuer) })) {
    if (asked !== undefined && policy.recipient !== asked) continue;
    // The policies of a removed recipient or metastore may still be waiting for removal.
    const chain = await chainById(jar.store, policy.recipient);
    if (chain) found.push({ policy, recipient: chain.target });
  }
  return found;
}

/** The claim that a policy rejects. Returns undefined if it accepts the token. */
function rejectedClaim(
  policy: RecipientPolicy,
  recipient: Securable,
  claims: JWTPayload,
): 'audience' | 'subject' | undefined {
  const allowed = policy.audiences.length > 0 ? policy.audiences : [recipient.accountId];
  if (!valuesOf(claims.aud).some((audience) => allowed.includes(audience))) return 'audience';
  return valuesOf(claims[policy.subjectClaim]).includes(policy.subject) ? undefined : 'subject';
}

/** A claim has one value or, such as `groups`, several. */
const valuesOf = (claim: unknown): readonly string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((each): each is string => typeof each === 'string');

function mistakes(candidates: readonly Candidate[], claims: JWTPayload): string {
  const isSubject = candidates.some(({ policy, recipient }) => rejectedClaim(policy, recipient, claims) === 'subject');
  const what = isSubject ? 'subject' : 'audience';
  return `No federation policy for the token's issuer accepts its ${what}.`;
}

async function verify(call: PlatformCall, token: string, policy: RecipientPolicy): Promise<void> {
  try {
    await verifyForeign(call, token, policy);
  } catch (error) {
    if (!(error instanceof ForeignTokenError)) throw error;
    call.jar.log.info({ err: error, issuer: policy.issuer }, 'a token of a recipient was refused');
    if (error.fault === 'expired') throw refused('The bearer token has expired.');
    const reason = `The bearer token of the issuer '${policy.issuer}' cannot be verified: ${error.message}.`;
    throw error.fault === 'unreachable' ? sharingErrors.TEMPORARILY_UNAVAILABLE({ reason }) : refused(reason);
  }
}
