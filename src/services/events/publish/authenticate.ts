import { bearerToken } from '../../../kernel/auth/index.ts';
import type { EventsCall } from '../jar.ts';
import { keysOf } from '../topics/lookup.ts';
import { admitBearer } from './bearer.ts';
import { publishErrors } from './errors.ts';
import type { Plan } from './plan.ts';
import { coversEndpoint, isSame, isSignedWith, readExpiry, readSignature } from './signature.ts';

/** Address of a topic: `text` for messages, `urls` for signatures. */
export interface Address {
  readonly text: string;
  readonly urls: () => readonly string[];
}

const SCHEME = 'sharedaccesssignature ';

/** Authenticates the publisher by an access key, a signature or a bearer token with a role. The first credential found decides. */
export async function authenticate(call: EventsCall, plan: Plan, address: Address): Promise<void> {
  const { headers } = call;
  const key = headers['aeg-sas-key'];
  if (typeof key === 'string') return admitKey(call, plan, address, key);
  const token = headers['aeg-sas-token'];
  if (typeof token === 'string') return admitSignature(call, plan, address, token);
  const { authorization } = headers;
  if (typeof authorization === 'string' && authorization.trim() !== '') {
    if (authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME) {
      return admitSignature(call, plan, address, authorization.slice(SCHEME.length).trim());
    }
    const bearer = bearerToken(call);
    if (typeof bearer !== 'string') {
      throw refused(address, "the header 'Authorization' must be 'SharedAccessSignature' or 'Bearer', and a token.");
    }
    return admitBearer(call, plan, address.text, bearer);
  }
  const asked = call.query['aeg-sas-key'];
  // An unencoded plus of base64 is decoded as a space.
  if (typeof asked === 'string') return admitKey(call, plan, address, asked.replaceAll(' ', '+'));
  throw refused(address, "it has none of the headers 'aeg-sas-key', 'aeg-sas-token' and 'Authorization'.");
}

async function admitKey(call: EventsCall, plan: Plan, address: Address, sent: string): Promise<void> {
  checkLocal(plan, address);
  const { key1, key2 } = await keysOf(call.jar, plan.key);
  const bytes = Buffer.from(sent);
  // Both keys are always compared, so that timing reveals nothing.
  const isFirst = isSame(bytes, Buffer.from(key1));
  const isSecond = isSame(bytes, Buffer.from(key2));
  if (!isFirst && !isSecond) throw refused(address, 'the access key is wrong.');
}

async function admitSignature(call: EventsCall, plan: Plan, address: Address, token: string): Promise<void> {
  checkLocal(plan, address);
  const signature = readSignature(token);
  if (!signature) {
    throw refused(address, "the shared access signature must be 'r={resource}&e={expiry}&s={signature}'.");
  }
  const { key1, key2 } = await keysOf(call.jar, plan.key);
  const isFirst = isSignedWith(key1, signature);
  const isSecond = isSignedWith(key2, signature);
  if (!isFirst && !isSecond)
    throw refused(address, 'the shared access signature is not signed with a key of the topic.');
  const expiry = readExpiry(signature.expiry);
  if (Number.isNaN(expiry)) throw refused(address, 'the expiry of the shared access signature is not a time.');
  if (expiry <= call.receivedAt) {
    const [end, now] = [new Date(expiry), new Date(call.receivedAt)].map((each) => each.toISOString());
    throw refused(address, `the shared access signature expired at ${end}; the time here is ${now}.`);
  }
  if (!coversEndpoint(signature.resource, address.urls())) {
    throw refused(address, 'the shared access signature is for another resource.');
  }
}

function checkLocal({ isLocalAuthDisabled }: Plan, address: Address): void {
  if (!isLocalAuthDisabled) return;
  throw refused(address, "it has 'disableLocalAuth', so keys and signatures are not accepted; send a bearer token.");
}

const refused = (address: Address, reason: string): Error =>
  publishErrors.Unauthorized({ endpoint: address.text, reason });
