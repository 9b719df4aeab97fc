import type { Vault } from '../../../kernel/auth/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { eq, type Reader, readAll } from '../../../kernel/store/index.ts';
import type { CallerIdentity } from '../access/standing.ts';
import type { Workspace } from '../accounts/collections.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import { checkBound, freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { type SecretScope, type SecretValue, scopeKey, secretKey, secrets, secretValues } from './collections.ts';
import { callerOf, record } from './common.ts';
import { type Caller, checkName, findScope, requireOwnBackend } from './scope.ts';

const keyOf = ({ workspaceId, name }: SecretScope): string => scopeKey(workspaceId, name);

/** The key under which the limits of a scope are counted. */
const countedBy = ({ workspaceId, name }: SecretScope): readonly string[] => [workspaceId, name.toLowerCase()];

const notFound = (scope: string, key: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `Secret does not exist with scope: ${scope.slice(0, 140)} and key: ${key.slice(0, 140)}`,
  });

/** Accepts either a text or bytes in base64. */
function readValue(sent: Sent): Buffer {
  const [asText, asBytes] = [sent.text('string_value'), sent.text('bytes_value')];
  if ((asText === undefined) === (asBytes === undefined))
    throw errors.MALFORMED_REQUEST({
      reason: "Could not parse request object: exactly one of 'string_value' and 'bytes_value' must be given.",
    });
  if (asText !== undefined) return Buffer.from(asText, 'utf8');
  const bytes = Buffer.from(asBytes ?? '', 'base64');
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(asBytes ?? ''))
    throw errors.MALFORMED_REQUEST({ reason: "Could not parse request object: 'bytes_value' must be base64." });
  return bytes;
}

async function putSecret(call: PlatformCall) {
  const { jar } = call;
  const sent = new Sent(call.body);
  const scopeName = sent.need('scope');
  const name = checkName('key', sent.need('key'));
  const value = readValue(sent);
  const sealed = jar.vault.seal(value.toString('base64'));
  await jar.store.transact(async (tx) => {
    const scope = await findScope(tx, callerOf(call), scopeName, 'WRITE');
    requireOwnBackend(scope);
    checkBound(jar, 'secret-size', countedBy(scope), value.length);
    const key = secretKey(keyOf(scope), name);
    const before = await tx.get(secrets, key);
    if (!before) await takeCount(tx, jar, { row: 'scope-secrets', scope: countedBy(scope) });
    await tx.put(secrets, key, { scope: keyOf(scope), name, updatedAt: jar.clock.now() });
    await tx.put(secretValues, key, { name, sealed });
    await record(tx, call, before ? 'update' : 'create', `${scope.name}/${name}`);
  });
  return ok({});
}

async function deleteSecret(call: PlatformCall) {
  const { jar } = call;
  const sent = new Sent(call.body);
  const [scopeName, name] = [sent.need('scope'), sent.need('key')];
  await jar.store.transact(async (tx) => {
    const scope = await findScope(tx, callerOf(call), scopeName, 'WRITE');
    requireOwnBackend(scope);
    const key = secretKey(keyOf(scope), name);
    if (!(await tx.delete(secrets, key))) throw notFound(scope.name, name);
    await tx.delete(secretValues, key);
    await freeCount(tx, jar, { row: 'scope-secrets', scope: countedBy(scope) });
    await record(tx, call, 'delete', `${scope.name}/${name}`);
  });
  return ok({});
}

async function listSecrets(call: PlatformCall) {
  const { store } = call.jar;
  const scope = await findScope(store, callerOf(call), new Sent(call.query).need('scope'), 'READ');
  requireOwnBackend(scope);
  const found = await readAll(store, secrets, { filter: eq('scope', keyOf(scope)), order: [{ field: 'name' }] });
  return ok({
    secrets: found.map(({ value }) => ({ key: value.name, last_updated_timestamp: value.updatedAt })),
  });
}

async function findSecret(reader: Reader, caller: Caller, scopeName: string, name: string): Promise<SecretValue> {
  const scope = await findScope(reader, caller, scopeName, 'READ');
  requireOwnBackend(scope);
  const secret = (await reader.get(secretValues, secretKey(keyOf(scope), name), 'none'))?.value;
  if (!secret) throw notFound(scope.name, name);
  return secret;
}

async function getSecret(call: PlatformCall) {
  const sent = new Sent(call.query);
  const secret = await findSecret(call.jar.store, callerOf(call), sent.need('scope'), sent.need('key'));
  return ok({ key: secret.name, value: call.jar.vault.open(secret.sealed) });
}

/**
 * The value of a secret as text, for a program that runs on behalf of a principal (`{{secrets/scope/key}}` in a job). Throws the same
 * errors as `secrets/get`, including a missing permission.
 */
export async function secretValue(
  reader: Reader,
  { vault }: { readonly vault: Vault },
  workspace: Workspace,
  standing: CallerIdentity,
  scope: string,
  key: string,
): Promise<string> {
  const { sealed } = await findSecret(reader, { workspace, standing }, scope, key);
  return Buffer.from(vault.open(sealed), 'base64').toString('utf8');
}

const at = (path: string) => ({ path, bare: [path] }) as const;

export const SECRET_VALUE_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    ...at('/secrets/put'),
    operation: 'secrets_putSecret',
    secretBodies: true,
    summary: 'Write a secret',
    code: routeCode([], { handle: putSecret }),
  },
  {
    method: 'POST',
    ...at('/secrets/delete'),
    operation: 'secrets_deleteSecret',
    summary: 'Delete a secret',
    code: routeCode([], { handle: deleteSecret }),
  },
  {
    method: 'GET',
    ...at('/secrets/list'),
    operation: 'secrets_listSecrets',
    summary: 'List the keys of a scope, without values',
    code: routeCode([], { handle: listSecrets }),
  },
  {
    method: 'GET',
    ...at('/secrets/get'),
    operation: 'secrets_getSecret',
    secretBodies: true,
    summary: 'Read a secret, in base64',
    code: routeCode([], { handle: getSecret }),
  },
];
