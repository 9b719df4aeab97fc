import type { ApiFamily, FamilyStep } from './family.ts';
import type { HttpJar } from './jar.ts';

/** Who answers at an address: one API of a service. */
export interface Owner {
  /** In metrics, logs and fault rules. */
  readonly name: string;
  readonly family: ApiFamily;
  /** What its calls have as `call.jar`: the jar itself until the service is open, then the jar with the service's memory. */
  jar: HttpJar;
  /** Of the service, behind those of the family. */
  steps: readonly FamilyStep[];
}
