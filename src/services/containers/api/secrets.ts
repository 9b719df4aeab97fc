import type { Vault } from '../../../kernel/auth/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import type { SealedSecrets } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import type { GroupPropertiesBody } from './schema.ts';

/** All write-only values of a group. Lists rather than maps, because names come from clients. */
export interface GroupSecrets {
  readonly variables: readonly { readonly container: string; readonly name: string; readonly value: string }[];
  readonly registries: readonly { readonly server: string; readonly username: string; readonly password: string }[];
  readonly files: readonly { readonly volume: string; readonly content: Readonly<Record<string, string>> }[];
  readonly shares: readonly { readonly volume: string; readonly account: string; readonly key: string }[];
  readonly workspaces: readonly { readonly id: string; readonly key: string }[];
  readonly extensions: readonly { readonly name: string; readonly settings: Readonly<Record<string, unknown>> }[];
}

export const NO_SECRETS: GroupSecrets = {
  variables: [],
  registries: [],
  files: [],
  shares: [],
  workspaces: [],
  extensions: [],
};

export const sealSecrets = (vault: Vault, secrets: GroupSecrets): SealedSecrets | undefined =>
  Object.values(secrets).every((list) => list.length === 0)
    ? undefined
    : { sealed: vault.seal(JSON.stringify(secrets)) };

export const openSecrets = (vault: Vault, stored: SealedSecrets | undefined): GroupSecrets =>
  stored ? (JSON.parse(vault.open(stored.sealed)) as GroupSecrets) : NO_SECRETS;

export function secretsIn(properties: GroupPropertiesBody): GroupSecrets {
  const { containers = [], initContainers = [], volumes = [], imageRegistryCredentials = [] } = properties;
  const workspace = properties.diagnostics?.logAnalytics;
  return {
    variables: [...containers, ...initContainers].flatMap(({ name: container = '', properties: run }) =>
      (run?.environmentVariables ?? []).flatMap(({ name = '', secureValue: value }) =>
        value === undefined ? [] : [{ container, name, value }],
      ),
    ),
    registries: imageRegistryCredentials.flatMap(({ server = '', username = '', password }) =>
      password ? [{ server, username, password }] : [],
    ),
    files: volumes.flatMap(({ name: volume = '', secret }) =>
      secret && Object.keys(secret).length > 0 ? [{ volume, content: secret }] : [],
    ),
    shares: volumes.flatMap(({ name: volume = '', azureFile }) =>
      azureFile?.storageAccountKey
        ? [{ volume, account: azureFile.storageAccountName ?? '', key: azureFile.storageAccountKey }]
        : [],
    ),
    workspaces: workspace?.workspaceKey ? [{ id: workspace.workspaceId ?? '', key: workspace.workspaceKey }] : [],
    extensions: (properties.extensions ?? []).flatMap(({ name = '', properties: extension }) =>
      extension?.protectedSettings ? [{ name, settings: extension.protectedSettings }] : [],
    ),
  };
}

/**
 * The secrets after an update. Clients read groups without secrets and write them back. An entry without a secret keeps its stored one if
 * it is still for the same user of the same server, account or workspace.
 */
export function keepSecrets(given: GroupSecrets, before: GroupSecrets, properties: GroupPropertiesBody): GroupSecrets {
  const { containers = [], initContainers = [], volumes = [], imageRegistryCredentials = [] } = properties;
  const workspace = properties.diagnostics?.logAnalytics;
  const leftOut = new Set(
    [...containers, ...initContainers].flatMap(({ name: container, properties: run }) =>
      (run?.environmentVariables ?? []).flatMap(({ name, value, secureValue, secureValueReference }) =>
        value === undefined && secureValue === undefined && secureValueReference === undefined
          ? [`${container}/${name}`]
          : [],
      ),
    ),
  );
  return {
    variables: [
      ...given.variables,
      ...before.variables.filter(({ container, name }) => leftOut.has(`${container}/${name}`)),
    ],
    registries: [
      ...given.registries,
      ...before.registries.filter(({ server, username }) =>
        imageRegistryCredentials.some(
          (it) => it.server === server && (it.username ?? '') === username && it.password === undefined,
        ),
      ),
    ],
    files: [
      ...given.files,
      ...before.files.filter(({ volume }) =>
        volumes.some(({ name, secret }) => name === volume && secret && Object.keys(secret).length === 0),
      ),
    ],
    shares: [
      ...given.shares,
      ...before.shares.filter(({ volume, account }) =>
        volumes.some(
          ({ name, azureFile }) =>
            name === volume && azureFile?.storageAccountName === account && azureFile.storageAccountKey === undefined,
        ),
      ),
    ],
    workspaces: [
      ...given.workspaces,
      ...before.workspaces.filter(({ id }) => workspace?.workspaceId === id && workspace.workspaceKey === undefined),
    ],
    extensions: [
      ...given.extensions,
      ...before.extensions.filter(({ name }) =>
        properties.extensions?.some(
          (it) => it.name === name && it.properties && it.properties.protectedSettings === undefined,
        ),
      ),
    ],
  };
}

/** Errors for entries that require a secret and have none. */
export function missingSecrets(properties: GroupPropertiesBody, secrets: GroupSecrets): ApiError[] {
  const problems: ApiError[] = [];
  for (const [index, { server = '', username, identity, passwordReference }] of (
    properties.imageRegistryCredentials ?? []
  ).entries()) {
    const known = secrets.registries.some((it) => it.server === server && it.username === username);
    if (identity || known || (username && passwordReference)) continue;
    const target = `properties.imageRegistryCredentials[${index}].${username ? 'password' : 'username'}`;
    problems.push(containerErrors.MissingImageRegistryCredential({ server }, { target }));
  }
  const workspace = properties.diagnostics?.logAnalytics;
  if (workspace && secrets.workspaces.length === 0) {
    const target = 'properties.diagnostics.logAnalytics.workspaceKey';
    problems.push(containerErrors.MissingWorkspaceKey({ workspace: workspace.workspaceId ?? '' }, { target }));
  }
  return problems;
}
