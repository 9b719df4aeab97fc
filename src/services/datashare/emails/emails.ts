import { randomInt } from 'node:crypto';
import { sameText, users } from '../../../kernel/auth/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { sendNotice } from '../../../kernel/notices/index.ts';
import { isoTime, MINUTE_MS } from '../../../kernel/time/index.ts';
import { type EmailRegistration, emailRegistrations } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareCall } from '../jar.ts';
import { invalid, object, read, text } from '../model/body.ts';
import { SENDER } from '../shares/invitation-notice.ts';

/**
 * Email addresses that callers verify, so that invitations to them can be accepted. The code is sent by mail. Because that mail may not
 * leave the jar, the code is also logged and shown to the administrator.
 */

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;
const REGISTRATION = object({ email: text({ pattern: EMAIL, rule: 'it must be an address such as ada@example.com' }) });
const ACTIVATION = object({ activationCode: text({ required: true }), email: text() });

const CODE_GOOD_FOR_MS = 60 * MINUTE_MS;
const MOST_ATTEMPTS = 5;

const keyOf = (objectId: string, email: string): string => `${objectId}/${email}`.toLowerCase();

const viewOf = (it: EmailRegistration) => ({
  email: it.email,
  tenantId: it.tenantId,
  registrationStatus: it.status,
  activationExpirationDate: isoTime(it.requestedAt + CODE_GOOD_FOR_MS),
});

/** The address in the body, or else the caller's own address. */
async function addressOf(
  { caller, jar }: Pick<DataShareCall, 'caller' | 'jar'>,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  const user = await jar.store.cached(users, caller?.objectId.toLowerCase() ?? '');
  if (!user) throw invalid('email', 'it is required, because the caller has no address of their own');
  return user.value.username;
}

export const registerEmail = armCode(['location'], {
  body: REGISTRATION.schema(),
  bodyOptional: true,
  async handle(call, arm) {
    const { jar, caller } = call;
    const email = await addressOf(call, read(REGISTRATION, call.body, arm.view.rules).email);
    const [objectId, tenantId] = [caller?.objectId ?? '', caller?.tenantId ?? ''];
    const key = keyOf(objectId, email);
    const now = jar.clock.now();
    const fresh = { tenantId, objectId, email, status: 'ActivationPending', requestedAt: now } as const;
    const code = String(randomInt(100_000, 1_000_000));
    const registration = await jar.store.transact(async (tx) => {
      const before = (await tx.get(emailRegistrations, key))?.value;
      // A new code does not reset the attempts; otherwise an attacker would request one after every few guesses.
      const isRecent = before !== undefined && before.requestedAt + CODE_GOOD_FOR_MS > now;
      const attempts = isRecent ? before.attempts : 0;
      if (attempts >= MOST_ATTEMPTS && before) return before;
      await sendNotice(tx, now, {
        tenantId,
        sender: SENDER,
        to: email,
        subject: 'Your activation code for data sharing',
        text: `The code ${code} verifies that the address ${email} is yours. It is valid until ${isoTime(now + CODE_GOOD_FOR_MS)}.\n`,
      });
      return (await tx.put(emailRegistrations, key, { ...fresh, code, attempts })).value;
    });
    if (registration.code === code) jar.log.info({ email, code }, 'the activation code of an address');
    return ok(viewOf(registration));
  },
});

export const activateEmail = armCode(['location'], {
  body: ACTIVATION.schema(),
  async handle(call, arm) {
    const { jar, caller } = call;
    const { activationCode, email: given } = read(ACTIVATION, call.body, arm.view.rules);
    const email = await addressOf(call, given);
    const key = keyOf(caller?.objectId ?? '', email);
    const outcome = await jar.store.transact(async (tx) => {
      const registration = (await tx.get(emailRegistrations, key))?.value;
      if (!registration) throw dataShareErrors.EmailRegistrationNotFound({ email });
      const result = attempt(registration, activationCode, jar.clock.now());
      // A failed attempt is stored, so that it counts although the request is rejected.
      await tx.put(emailRegistrations, key, result.registration);
      return result;
    });
    if (outcome.refusal) throw outcome.refusal;
    return ok(viewOf(outcome.registration));
  },
});

interface Attempt {
  readonly registration: EmailRegistration;
  readonly refusal?: Error;
}

function attempt(before: EmailRegistration, code: string, now: number): Attempt {
  if (before.status === 'Activated') return { registration: before };
  if (before.status === 'ActivationAttemptsExhausted')
    return { registration: before, refusal: dataShareErrors.ActivationAttemptsExhausted() };
  const expiry = before.requestedAt + CODE_GOOD_FOR_MS;
  if (expiry <= now)
    return { registration: before, refusal: dataShareErrors.ActivationExpired({ at: isoTime(expiry) }) };
  if (sameText(code.trim(), before.code)) return { registration: { ...before, status: 'Activated', activatedAt: now } };
  const attempts = before.attempts + 1;
  if (attempts >= MOST_ATTEMPTS)
    return {
      registration: { ...before, attempts, status: 'ActivationAttemptsExhausted' },
      refusal: dataShareErrors.ActivationAttemptsExhausted(),
    };
  const refusal = dataShareErrors.WrongActivationCode({ left: MOST_ATTEMPTS - attempts });
  return { registration: { ...before, attempts }, refusal };
}
