const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i;

/** What the seeded users and the seeded application prove themselves with. */
export interface SeedCredentials {
  readonly password: string;
  readonly applicationSecret: string;
  /** The values of the documentation, which everybody knows. */
  readonly wellKnown: boolean;
}

/** On loopback they are easy to remember; a jar that others can reach must not be open to whoever read the documentation. */
export function seedCredentials(host: string, adminKey: string): SeedCredentials {
  if (LOOPBACK.test(host)) return { password: 'cloudjar', applicationSecret: 'cloudjar-app-secret', wellKnown: true };
  return { password: adminKey, applicationSecret: adminKey, wellKnown: false };
}
