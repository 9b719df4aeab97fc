import { recordSignIn, type SignIn } from '../../kernel/auth/index.ts';
import { sourceOf } from '../../kernel/limits/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { redactText } from '../../kernel/telemetry/index.ts';
import { IdentityError } from './errors.ts';
import type { Target } from './scopes.ts';

/** A sign-in while it goes on: what becomes known about it is written here, and recorded at its end. */
export interface Attempt {
  readonly flow: string;
  tenant: string;
  clientId?: string | undefined;
  /** As typed. Recorded only if a user has this name: people type passwords into the wrong field. */
  username?: string | undefined;
  userId?: string;
  target?: Pick<Target, 'audience' | 'granted'>;
  /** The sign-in succeeded, unless there is an error. */
  hasEnded?: boolean;
  /** An error that is shown on a page or sent to the application, not thrown. */
  error?: IdentityError;
}

/** A client that polls for a device code has not failed. */
const POLLING: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down']);
const LONGEST = 300;

/** Records the sign-in that `run` ends. A page that asks for a password ends none. */
export async function recorded<T>(call: Call, attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    const answer = await run();
    if (attempt.hasEnded || attempt.error) await record(call, attempt, attempt.error);
    return answer;
  } catch (error) {
    if (error instanceof IdentityError && !POLLING.has(error.code)) await record(call, attempt, error);
    throw error;
  }
}

async function record(call: Call, attempt: Attempt, error: IdentityError | undefined): Promise<void> {
  const { jar } = call;
  try {
    await recordSignIn(jar.store, await signInOf(call, attempt, error));
  } catch (problem) {
    // The client has its tokens or its error; a record that could not be written must not change that.
    jar.log.warn({ err: problem, requestId: call.requestId }, 'a sign-in could not be recorded');
  }
}

async function signInOf(
  { jar, headers, remoteAddress, requestId }: Call,
  attempt: Attempt,
  error: IdentityError | undefined,
): Promise<Omit<SignIn, 'order'>> {
  const { flow, tenant, clientId, userId, username, target } = attempt;
  const application = clientId ? await jar.directory.findApplication(clientId) : undefined;
  const user = userId
    ? await jar.directory.user(userId)
    : username
      ? await jar.directory.findUser(username)
      : undefined;
  const agent = headers['user-agent'];
  const applicationId = application?.id ?? short(clientId);
  return {
    at: jar.clock.now(),
    flow,
    tenant: short(tenant) ?? '',
    address: sourceOf(remoteAddress),
    requestId,
    ...(error && { error: { code: error.code, number: error.number, message: short(error.message) ?? '' } }),
    ...(applicationId && { applicationId }),
    ...(application && { application: application.displayName }),
    ...(user && { userId: user.id, username: user.username }),
    ...(target && { resource: short(target.audience) ?? '', scope: short(target.granted) ?? '' }),
    ...(agent && { userAgent: short(String(agent)) ?? '' }),
  };
}

/** Texts of clients: bounded, and without what looks like a secret. */
const short = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : redactText(text.slice(0, LONGEST));
