import type { SignIn } from './directory.ts';

/** What to do about the errors that people meet most, by their number. */
const ADVICE: Readonly<Record<number, string>> = {
  50126: 'The user name or the password is wrong. Seeded users have one password, which the sign-in page shows.',
  50057: 'Enable the user to let it sign in again.',
  50053: 'Wait, or raise the limit identity.wrong-passwords.',
  50020: 'Use the tenant of the user in the address, or make the user a guest of this tenant.',
  50011: 'Register exactly this redirect address for the application.',
  50058: 'The browser has no session: the application must let the user sign in visibly.',
  700016: 'Register an application with this client id.',
  7000215: 'Make a new secret for the application, and use it.',
  7000218: 'A confidential application must send its secret or an assertion.',
  700025: 'A public application has no secret: leave it out.',
  70000: 'Sign in again: the code or token is unknown here, perhaps from before a reset.',
  70008: "Sign in again. The jar's clock may have been moved.",
  54005: 'A code can be redeemed once. Two parts of the client may redeem it.',
  700084: 'A refresh token can be used once. Keep the newest one.',
  500011: 'Ask for a resource that this jar serves.',
  70011: 'Correct the scope.',
  90002: 'Use the id or domain of a tenant of this jar in the address.',
};

export const adviceFor = ({ number, code }: NonNullable<SignIn['error']>): string =>
  ADVICE[number] ?? `The client gets ${code}.`;
