const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i;

/** Credentials of the seeded users and the seeded application. */
export interface SeedCredentials {
  readonly password: string;
  readonly applicationSecret: string;
  /** Whether these are the public values from the documentation. */
  readonly wellKnown: boolean;
}

/** Easy to remember on loopback; a jar that other machines can reach must not use credentials from the documentation. */
export function seedCredentials(host: string, adminKey: string): SeedCredentials {
  if (LOOPBACK.test(host)) return { password: 'cloudjar', applicationSecret: 'cloudjar-app-secret', wellKnown: true };
  return { password: adminKey, applicationSecret: adminKey, wellKnown: false };
}
