import { bearerToken } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { TranslatorCall } from '../jar.ts';
import { headerText, queryParameter } from '../query.ts';
import { type Account, sameRegion } from './account.ts';
import { findAccount } from './find.ts';
import { idOfKey } from './secrets.ts';
import { readToken } from './tokens.ts';

const SHOWN_OF_REGION = 60;

/** A step of the family: authenticates by a key, otherwise by a token. The first credential found decides. */
export function authenticate(call: TranslatorCall): Promise<void> | undefined {
  if (call.route.open) return undefined;
  const key = headerText(call, 'ocp-apim-subscription-key') ?? queryParameter(call, 'Subscription-Key');
  if (key !== undefined && key !== '') return admitKey(call, key);
  if (call.route.traits?.keysOnly) {
    throw errors.Unauthorized({ reason: "a token is issued for a key, in the header 'Ocp-Apim-Subscription-Key'" });
  }
  const token = bearerToken(call);
  if (typeof token === 'string') return admitToken(call, token);
  const reason =
    token === null
      ? "the header 'Authorization' is not of the form 'Bearer <token>'"
      : "send the header 'Ocp-Apim-Subscription-Key' or 'Authorization'";
  throw errors.Unauthorized({ reason });
}

/** Set for every route that is not open. */
export const accountOf = ({ facts }: Pick<TranslatorCall, 'facts'>): Account => facts.account as Account;

/** Set on routes with `keysOnly`. */
export const keyIdOf = ({ facts }: Pick<TranslatorCall, 'facts'>): string => facts.keyId as string;

function admit(call: TranslatorCall, account: Account): void {
  call.facts.account = account;
  call.logged = { ...call.logged, account: account.name };
}

async function admitKey(call: TranslatorCall, key: string): Promise<void> {
  const id = idOfKey(key);
  const account = await findAccount(call.jar, id);
  if (!account) throw errors.WrongKey({ reason: 'no subscription has this key' });
  if (account.kind === 'speech') throw errors.SpeechKey({ name: account.name });
  checkRegion(call, account);
  call.facts.keyId = id;
  admit(call, account);
}

/** A global key works in every region. */
function checkRegion(call: TranslatorCall, { name, region }: Account): void {
  if (region === undefined) return;
  const named = headerText(call, 'ocp-apim-subscription-region') ?? queryParameter(call, 'Subscription-Region');
  // The token endpoint of the real service has one host per region, so the header is optional there.
  if (named === undefined && call.route.traits?.keysOnly) return;
  if (named === undefined || named === '') {
    const reason = `the key '${name}' belongs to a region, which 'Ocp-Apim-Subscription-Region' has to name`;
    throw errors.Unauthorized({ reason });
  }
  if (sameRegion(named, region)) return;
  throw errors.Unauthorized({
    reason: `the key '${name}' does not belong to the region '${named.slice(0, SHOWN_OF_REGION)}'`,
  });
}

async function admitToken(call: TranslatorCall, token: string): Promise<void> {
  admit(call, await readToken(call, token));
}
