import { ANY_AUDIENCE, type Caller, isOwnOrigin, normalAudience, TokenError } from '../../../kernel/auth/index.ts';
import { TRANSLATOR_AUDIENCES } from '../audiences.ts';
import { errors } from '../errors.ts';
import type { TranslatorCall } from '../jar.ts';
import { headerText } from '../query.ts';
import type { Account } from './account.ts';
import { findAccountByName } from './find.ts';

const ACCEPTED: ReadonlySet<string> = new Set(TRANSLATOR_AUDIENCES);

/** `…/providers/Vendor.CognitiveServices/accounts/{name}`, in any namespace and below any scope. */
const ACCOUNT_ID = /^\/.+\/providers\/[^/]+\/accounts\/([^/]{1,64})\/?$/i;

/** Accepts a token of the jar's directory, of any of its users and applications. */
export async function readDirectoryToken(call: TranslatorCall, token: string): Promise<Account> {
  const caller = await verified(call, token);
  call.caller = caller;
  const { audience } = caller;
  const isForUs = audience === ANY_AUDIENCE || ACCEPTED.has(normalAudience(audience));
  if (!isForUs && !isOwnOrigin(audience, call.origin, call.jar)) {
    throw errors.Unauthorized({ reason: `the token is for the audience '${audience}', which is not this API` });
  }
  if (caller.kind === 'user' && !caller.scopes.includes('user_impersonation')) {
    throw errors.NotOffered({ reason: "the token lacks the scope 'user_impersonation'" });
  }
  return accountFor(call, caller);
}

async function verified({ jar: { tokens } }: TranslatorCall, token: string): Promise<Caller> {
  try {
    return tokens.recall(token) ?? (await tokens.verify(token));
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const since = error.expiredAt === undefined ? '' : ` (at ${new Date(error.expiredAt).toISOString()})`;
    const said = error.message.replace(/\.$/, '');
    throw errors.Unauthorized({ reason: said.charAt(0).toLowerCase() + said.slice(1) + since });
  }
}

/** Charges the named resource, with the tier of the key of that name if it exists; otherwise the tenant, without a tier. */
async function accountFor(call: TranslatorCall, { tenantId }: Caller): Promise<Account> {
  const resourceId = headerText(call, 'ocp-apim-resourceid');
  if (resourceId === undefined) return { name: tenantId, kind: 'translator' };
  const [, name] = ACCOUNT_ID.exec(resourceId) ?? [];
  if (name === undefined) {
    throw errors.Unauthorized({ reason: "'Ocp-Apim-ResourceId' is not the id of a resource of this API" });
  }
  const account = await findAccountByName(call.jar, name);
  if (account?.kind === 'speech') throw errors.SpeechKey({ name });
  // Lower case, because ids in any casing denote the same account.
  return account ?? { name: name.toLowerCase(), kind: 'translator' };
}
