import { ApiError } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { workspaces } from '../accounts/collections.ts';
import type { PlatformJar } from '../jar.ts';
import { secretValue } from './values.ts';

/** Environment variables of compute; a value `{{secrets/<scope>/<key>}}` refers to a secret. */

const REFERENCE = /^\{\{secrets\/([^/{}]{1,128})\/([^/{}]{1,128})\}\}$/;

export interface TaskVariables {
  readonly variables: Readonly<Record<string, string>>;
  /** The values of secrets, to be removed from output. */
  readonly hidden: readonly string[];
}

interface Acting {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly runAs: string;
}

/**
 * The variables of a task, with the secrets that the identity of its run may read. Returns a text with the reason if a secret cannot be
 * read.
 */
export async function readTaskVariables(
  tx: Tx,
  jar: PlatformJar,
  run: Acting,
  sent: unknown,
): Promise<TaskVariables | string> {
  const variables: Record<string, string> = {};
  const hidden: string[] = [];
  if (!isObject(sent)) return { variables, hidden };
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== 'string') continue;
    const [, scope, key] = REFERENCE.exec(value.trim()) ?? [];
    if (scope === undefined || key === undefined) {
      variables[name] = value;
      continue;
    }
    const secret = await readSecret(tx, jar, run, scope, key);
    if ('problem' in secret) return secret.problem;
    variables[name] = secret.value;
    if (secret.value !== '') hidden.push(secret.value);
  }
  return { variables, hidden };
}

async function readSecret(
  tx: Tx,
  jar: PlatformJar,
  { accountId, workspaceId, runAs }: Acting,
  scope: string,
  key: string,
): Promise<{ readonly value: string } | { readonly problem: string }> {
  const standing = await jar.callerIdentities.within(tx, accountId, runAs);
  const workspace = (await tx.get(workspaces, workspaceId, 'none'))?.value;
  if (!standing || !workspace) return { problem: 'The identity of the run has no access to secrets.' };
  try {
    return { value: await secretValue(tx, jar, workspace, standing, scope, key) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { problem: `Failed to resolve the reference {{secrets/${scope}/${key}}}: ${error.message}` };
  }
}

const REDACTED = '[REDACTED]';

/** Removes these values from the text, longest first, since one value can be part of another. */
export function withoutSecrets(text: string, hidden: readonly string[] = []): string {
  let shown = text;
  for (const value of hidden.toSorted((one, other) => other.length - one.length))
    shown = shown.replaceAll(value, REDACTED);
  return shown;
}
