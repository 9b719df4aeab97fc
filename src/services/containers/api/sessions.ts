import { groupPath, isGuid } from '../../../kernel/arm/index.ts';
import { newSecret, sameText, sha256 } from '../../../kernel/auth/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { type Session, sessions } from '../collections.ts';
import { type ContainerParams, groupKey } from './find-container.ts';
import { FORGET_SESSION, forgetSessionAt, sessionWorkId } from './session-work.ts';

/** By the jar's clock. */
export const SESSION_LIFETIME_MS = 60_000;
/** The version of the stream protocol, not the api-version of the operation. */
const STREAM_VERSION = '1.0';

export const forgetSession = workHandler(FORGET_SESSION, async (item, { store }: Jar) => {
  await store.transact(async (tx) => {
    await tx.delete(sessions, item.payload.id);
    await tx.complete(item);
  });
});

/** As in the real service; 156 bits. */
const PASSWORD_LENGTH = 26;

type NewSession = Omit<Session, 'id' | 'password' | 'expiresAt'>;

export interface OpenedSession {
  readonly webSocketUri: string;
  readonly password: string;
}

/** Runs in the operation's transaction. The password appears only in the operation's answer; the store keeps its hash. */
export async function openSession(tx: Tx, call: Call, session: NewSession): Promise<OpenedSession> {
  const id = uuid();
  const password = newSecret().slice(0, PASSWORD_LENGTH);
  const expiresAt = call.jar.clock.now() + SESSION_LIFETIME_MS;
  await tx.put(sessions, id, { ...session, id, password: sha256(password), expiresAt });
  await tx.schedule(forgetSessionAt(expiresAt, id));
  return { webSocketUri: addressOf(call, session, id), password };
}

/** The stream's address: the host that the caller used, and a path beside the caller's. */
function addressOf(call: Call, { kind, rows, cols }: NewSession, id: string): string {
  const place = call.path.slice(0, call.path.lastIndexOf('/'));
  const stream = kind === 'exec' ? 'execstream' : 'logstream';
  const size = kind === 'exec' ? `&rows=${rows}&cols=${cols}` : '';
  const origin = call.origin.replace(/^http/, 'ws');
  return `${origin}${place}/${stream}/sessionId/${id}?api-version=${STREAM_VERSION}${size}`;
}

/** Returns the session if it has not expired and belongs to the container in the path. */
export async function findSession(
  { jar, params }: Call<ContainerParams & { readonly subscriptionId: string; readonly sessionId: string }>,
  kind: Session['kind'],
): Promise<Session | undefined> {
  const id = params.sessionId.toLowerCase();
  if (!isGuid(id)) return undefined;
  const session = (await jar.store.get(sessions, id))?.value;
  if (session?.kind !== kind || jar.clock.now() >= session.expiresAt) return undefined;
  const key = groupKey(groupPath(params.subscriptionId, params.resourceGroupName), params.containerGroupName);
  const isThere = session.key === key && session.container.toLowerCase() === params.containerName.toLowerCase();
  return isThere ? session : undefined;
}

/** Consumes a session. False if the password is wrong, or if the session was used or expired in the meantime. */
export async function redeem(jar: Jar, { id, kind }: Session, password: string): Promise<boolean> {
  const given = sha256(password.replace(/^Bearer +/i, '').trim());
  return jar.store.transact(async (tx) => {
    const session = (await tx.get(sessions, id))?.value;
    if (session?.kind !== kind || jar.clock.now() >= session.expiresAt || !sameText(given, session.password)) {
      return false;
    }
    await tx.delete(sessions, id);
    await tx.cancel(sessionWorkId(id));
    return true;
  });
}
