import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { type FederationPolicy, federationPolicies, policyKey, policyPlace } from './collections.ts';
import { servicePrincipal } from './principal-secret-operations.ts';

/** Federation policies of an account and of its service principals: the issuers whose tokens `/oidc` exchanges. */

type Place = Pick<FederationPolicy, 'accountId' | 'principal'>;

async function placeOf(call: PlatformCall, principal: string | undefined): Promise<Place> {
  const { id: accountId } = accountIn(call);
  return principal === undefined
    ? { accountId }
    : { accountId, principal: (await servicePrincipal(call, principal)).id };
}

const countOf = ({ accountId, principal = '' }: Place) =>
  ({ row: 'federation-policies', scope: [accountId, principal] }) as const;

function viewOf(policy: FederationPolicy) {
  const { accountId, principal, id, uid, description, issuer, audiences, subject, subjectClaim } = policy;
  const owner = principal === undefined ? '' : `servicePrincipals/${principal}/`;
  return {
    name: `accounts/${accountId}/${owner}federationPolicies/${id}`,
    policy_id: id,
    uid,
    ...(description !== undefined && { description }),
    ...(principal !== undefined && { service_principal_id: Number(principal) }),
    create_time: isoTime(policy.createdAt),
    update_time: isoTime(policy.updatedAt),
    oidc_policy: {
      issuer,
      ...(audiences.length > 0 && { audiences }),
      ...(subject !== undefined && { subject }),
      subject_claim: subjectClaim,
      ...(policy.jwksJson !== undefined && { jwks_json: policy.jwksJson }),
      ...(policy.jwksUri !== undefined && { jwks_uri: policy.jwksUri }),
    },
  };
}

const POLICY_ID = /^[a-z0-9](?:[a-z0-9/-]{0,98}[a-z0-9])?$/;
const LONGEST = 16_384;

type Drawn = Omit<FederationPolicy, 'id' | 'uid' | 'accountId' | 'principal' | 'createdAt' | 'updatedAt'>;

function readPolicy(body: unknown, isOfPrincipal: boolean, before?: FederationPolicy): Drawn {
  const sent = new Sent(body);
  const oidc = sent.member('oidc_policy') ?? new Sent({});
  const issuer = oidc.text('issuer') ?? before?.issuer;
  if (!issuer) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'oidc_policy.issuer' });
  if (!URL.canParse(issuer))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The issuer must be a URL, not '${issuer.slice(0, 100)}'.` });
  const subject = oidc.text('subject') ?? before?.subject;
  if (isOfPrincipal && !subject) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'oidc_policy.subject' });
  if (!isOfPrincipal && subject)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'A policy of the account cannot have a subject: its tokens name the user.',
    });
  const jwksJson = oidc.text('jwks_json') ?? before?.jwksJson;
  if (jwksJson !== undefined && (jwksJson.length > LONGEST || !isKeySet(jwksJson)))
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'jwks_json must be a JSON Web Key Set.' });
  const jwksUri = oidc.text('jwks_uri') ?? before?.jwksUri;
  if (jwksUri !== undefined && !URL.canParse(jwksUri))
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'jwks_uri must be a URL.' });
  const description = sent.text('description') ?? before?.description;
  return {
    issuer,
    audiences: oidc.texts('audiences') ?? before?.audiences ?? [],
    subjectClaim: oidc.text('subject_claim') ?? before?.subjectClaim ?? 'sub',
    ...(subject !== undefined && { subject }),
    ...(description !== undefined && { description }),
    ...(jwksJson !== undefined && { jwksJson }),
    ...(jwksUri !== undefined && { jwksUri }),
  };
}

function isKeySet(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'keys' in parsed && Array.isArray(parsed.keys);
  } catch {
    return false;
  }
}

async function createPolicy(call: PlatformCall, principal: string | undefined) {
  const { jar } = call;
  const place = await placeOf(call, principal);
  const id = new Sent(call.query).text('policy_id') || uuid();
  if (!POLICY_ID.test(id))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'policy_id must be at most 100 lower-case letters, digits, hyphens and slashes.',
    });
  const now = jar.clock.now();
  const drawn = readPolicy(call.body, place.principal !== undefined);
  const policy: FederationPolicy = { id, uid: uuid(), ...place, ...drawn, createdAt: now, updatedAt: now };
  await jar.store.transact(async (tx) => {
    await tx.lock(`platform.federation:${policyKey(policy)}`);
    if (await tx.get(federationPolicies, policyKey(policy)))
      throw errors.ALREADY_EXISTS({ reason: `Federation policy ${id} already exists.` });
    await takeCount(tx, jar, countOf(place));
    await tx.put(federationPolicies, policyKey(policy), policy);
    await record(tx, call, 'create', policy);
  });
  return ok(viewOf(policy));
}

async function found(reader: Pick<Tx, 'get'>, place: Place, id: string): Promise<FederationPolicy> {
  const policy = (await reader.get(federationPolicies, policyKey({ ...place, id })))?.value;
  if (!policy) throw errors.NOT_FOUND({ reason: `Federation policy ${id.slice(0, 100)} does not exist.` });
  return policy;
}

async function changePolicy(call: PlatformCall, principal: string | undefined, id: string) {
  const { jar } = call;
  const place = await placeOf(call, principal);
  const policy = await jar.store.transact(async (tx) => {
    const before = await found(tx, place, id);
    const { uid, createdAt } = before;
    const drawn = readPolicy(call.body, place.principal !== undefined, before);
    const after: FederationPolicy = { id: before.id, uid, ...place, ...drawn, createdAt, updatedAt: jar.clock.now() };
    await tx.put(federationPolicies, policyKey(after), after);
    await record(tx, call, 'update', after);
    return after;
  });
  return ok(viewOf(policy));
}

async function deletePolicy(call: PlatformCall, principal: string | undefined, id: string) {
  const { jar } = call;
  const place = await placeOf(call, principal);
  await jar.store.transact(async (tx) => {
    const policy = await found(tx, place, id);
    await tx.delete(federationPolicies, policyKey(policy));
    await freeCount(tx, jar, countOf(place));
    await record(tx, call, 'delete', policy);
  });
  return ok({});
}

async function listPolicies(call: PlatformCall, principal: string | undefined) {
  const { items, next } = await readPage(call, {
    collection: federationPolicies,
    query: { filter: eq('place', policyPlace(await placeOf(call, principal))), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  return ok({ policies: items.map(({ value }) => viewOf(value)), ...(next && { next_page_token: next }) });
}

const record = (tx: Tx, { jar }: PlatformCall, kind: string, policy: FederationPolicy): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${viewOf(policy).name}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { id: policy.id, issuer: policy.issuer },
  });

function operations(prefix: string, name: string, of: string): readonly Operation[] {
  const path = `${prefix}/federationPolicies`;
  const one = `${path}/{policy_id}`;
  const row = (verb: string, summary: string) => ({ operation: `${name}_${verb}`, summary: `${of}: ${summary}` });
  const principalIn = ({ params }: PlatformCall): string | undefined => params.principal;
  return [
    {
      method: 'POST',
      path,
      ...row('create', 'create one'),
      code: routeCode([], { handle: (call) => createPolicy(call, principalIn(call)) }),
    },
    {
      method: 'GET',
      path,
      ...row('list', 'list them'),
      code: routeCode([], { handle: (call) => listPolicies(call, principalIn(call)) }),
    },
    {
      method: 'GET',
      path: one,
      ...row('get', 'read one'),
      code: routeCode(['policy_id'], {
        async handle(call) {
          const place = await placeOf(call, principalIn(call));
          return ok(viewOf(await found(call.jar.store, place, call.params.policy_id)));
        },
      }),
    },
    {
      method: 'PATCH',
      path: one,
      ...row('update', 'change one'),
      code: routeCode(['policy_id'], {
        handle: (call) => changePolicy(call, principalIn(call), call.params.policy_id),
      }),
    },
    {
      method: 'DELETE',
      path: one,
      ...row('delete', 'delete one'),
      code: routeCode(['policy_id'], {
        handle: (call) => deletePolicy(call, principalIn(call), call.params.policy_id),
      }),
    },
  ];
}

const ACCOUNT = '/accounts/{account_id}';

export const FEDERATION_OPERATIONS: readonly Operation[] = [
  ...operations(ACCOUNT, 'federationPolicies', 'Federation policies of the account'),
  ...operations(
    `${ACCOUNT}/servicePrincipals/{principal}`,
    'servicePrincipalFederationPolicies',
    'Federation policies of a service principal',
  ),
];
