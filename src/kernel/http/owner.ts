import type { ApiFamily, FamilyStep } from './family.ts';
import type { HttpJar } from './jar.ts';

/** Owner of a path: one API of a service. */
export interface Owner {
  /** Name in metrics, logs and fault rules. */
  readonly name: string;
  readonly family: ApiFamily;
  /** Passed to its calls as `call.jar`: the plain jar until the service is open, then the service's own jar. */
  jar: HttpJar;
  /** Steps of the service, after those of the family. */
  steps: readonly FamilyStep[];
}
