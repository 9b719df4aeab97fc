import type { Sealer, SecretsIn } from '../../store/secrets.ts';
import type { SimulatedContainer } from './collections.ts';
import type { Inside } from './inside.ts';

/** How simulated containers are written to a snapshot file without secrets. */

/** Variables that every container has. */
const PUBLIC_VARIABLES: ReadonlySet<string> = new Set(['PATH', 'HOME', 'HOSTNAME']);

/** For containers whose command is not secret: they continue to run, without variables and with empty files. */
export const EMPTIED: SecretsIn<SimulatedContainer> = {
  what: 'variables and files of simulated containers',
  afterwards: 'They are removed from running containers: restart the groups once their secure values are set again',
  name: ({ name }) => name,
  remove(container, sealer) {
    const inside = childrenKeyOf(container, sealer);
    if (!inside) return undefined;
    const left: Inside = {
      ...inside,
      environment: inside.environment.filter(([name]) => PUBLIC_VARIABLES.has(name)),
      files: Object.fromEntries(Object.keys(inside.files).map((path) => [path, ''])),
    };
    return { ...container, sealed: JSON.stringify(left) };
  },
  renew: (container, sealer, key) => [
    key,
    container.sealed.startsWith('{') ? { ...container, sealed: sealer.seal(container.sealed) } : container,
  ],
};

/** Returns undefined if the data was encrypted with the key of another jar. */
function childrenKeyOf({ sealed }: SimulatedContainer, sealer: Pick<Sealer, 'open'>): Inside | undefined {
  try {
    return JSON.parse(sealer.open(sealed)) as Inside;
  } catch {
    return undefined;
  }
}

/** For containers whose command may be secret. */
export const LEFT_OUT: SecretsIn<SimulatedContainer> = {
  what: 'simulated containers',
  afterwards: 'They are left out, with their programs: run them again',
  name: ({ image }) => image,
  remove: () => undefined,
};
