import type { MistakeOrder } from '../../../../kernel/arm/body/index.ts';

export type RuleKind =
  | 'duplicate'
  | 'container port'
  | 'group port'
  | 'mount'
  | 'volume'
  | 'config map'
  | 'probe'
  | 'limit'
  | 'gpu'
  | 'combination'
  | 'identity'
  | 'privilege';

const CONTAINER = '^properties\\.containers\\[\\]\\.';
const INIT_CONTAINER = '^properties\\.initContainers\\[\\]\\.';
const EITHER = '^properties\\.(containers|initContainers)\\[\\]\\.';
/** Fields that init containers have as well. */
const RUN = '(name$|properties\\.(image|environmentVariables|volumeMounts))';
const OTHER_PROPERTIES = /^properties\./;

/** The order in which the mistakes of a group are listed. Clients that show only the error itself show the first mistake. */
export const ORDER: MistakeOrder = {
  kinds: [
    'missing',
    'word',
    'form',
    'range',
    'port',
    'probed port',
    'duplicate',
    'container port',
    'group port',
    'mount',
    'volume',
    'config map',
    'probe',
    'dns',
    'limit',
    'gpu',
    'combination',
    'identity',
    'seccomp profile',
    'policy',
    'privilege',
  ],
  fields: {
    missing: [
      /^properties\.(osType|containers)$/,
      new RegExp(CONTAINER + RUN),
      new RegExp(INIT_CONTAINER + RUN),
      /\.resources\./,
      new RegExp(`${CONTAINER}properties\\.ports`),
      /Probe\./,
      OTHER_PROPERTIES,
    ],
    word: [
      /^properties\.osType$/,
      /^properties\.restartPolicy$/,
      /^properties\.(sku|priority)$/,
      new RegExp(`${CONTAINER}properties\\.ports`),
      /Probe\./,
      OTHER_PROPERTIES,
    ],
    form: [
      new RegExp(`${EITHER}name$`),
      new RegExp(`${EITHER}properties\\.image$`),
      new RegExp(`${EITHER}properties\\.environmentVariables`),
      new RegExp(`${EITHER}properties\\.volumeMounts`),
      /\.capabilities\.add/,
      /\.capabilities\.drop/,
      /\.httpGet\.path$/,
      /\.httpHeaders\[\]\.name$/,
      /\.httpHeaders\[\]\.value$/,
      OTHER_PROPERTIES,
    ],
    range: [/Probe\./, /\.resources\./],
  },
};
