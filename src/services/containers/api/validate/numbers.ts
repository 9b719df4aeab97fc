import type { ApiError } from '../../../../kernel/http/errors.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';
import { mistakesAt } from './paths.ts';

type NumberCode = 'InvalidProbeTiming' | 'InvalidResourceRequests' | 'InvalidUserId';

const CONTAINER = 'properties.containers[].properties';
const RUN = ['properties.containers[].properties', 'properties.initContainers[].properties'];

/** What a probe counts, and the least that makes sense. */
const TIMINGS: Readonly<Record<string, number>> = {
  initialDelaySeconds: 0,
  periodSeconds: 1,
  failureThreshold: 1,
  successThreshold: 1,
  timeoutSeconds: 1,
};

/** Engines count processor time in hundredths of a core. */
const LEAST_CPU = 0.01;
const LEAST_MEMORY_IN_GB = 0.01;

const LEAST: readonly (readonly [path: string, least: number, code: NumberCode])[] = [
  ...['livenessProbe', 'readinessProbe'].flatMap((probe) =>
    Object.entries(TIMINGS).map(
      ([field, least]) => [`${CONTAINER}.${probe}?.${field}`, least, 'InvalidProbeTiming'] as const,
    ),
  ),
  ...['requests', 'limits'].flatMap(
    (amounts) =>
      [
        [`${CONTAINER}.resources.${amounts}?.cpu`, LEAST_CPU, 'InvalidResourceRequests'],
        [`${CONTAINER}.resources.${amounts}?.memoryInGB`, LEAST_MEMORY_IN_GB, 'InvalidResourceRequests'],
      ] as const,
  ),
  ...RUN.flatMap((run) =>
    ['runAsUser', 'runAsGroup'].map((field) => [`${run}.securityContext?.${field}`, 0, 'InvalidUserId'] as const),
  ),
];

const HIGHEST_PORT = 65_535;

/** The service needs these for itself. */
const RESERVED_PORTS: readonly (readonly [first: number, last: number])[] = [
  [22, 22],
  [443, 443],
  [1025, 1027],
  [3389, 3399],
  [9999, 9999],
  [19_000, 19_000],
  [19_080, 19_080],
  [19_100, 19_100],
  [19_390, 19_390],
  [20_000, 30_000],
  [49_152, 65_534],
];

const RESERVED = RESERVED_PORTS.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');

const PORTS = [`${CONTAINER}.ports[].port`, 'properties.ipAddress?.ports[].port'];
/** A probe asks what is inside of the container, where no port is reserved. */
const PROBED_PORTS = ['livenessProbe', 'readinessProbe'].map((probe) => `${CONTAINER}.${probe}?.httpGet?.port`);

const isReserved = (port: number): boolean => RESERVED_PORTS.some(([first, last]) => port >= first && port <= last);
const isPort = (port: number): boolean => port >= 1 && port <= HIGHEST_PORT;

export function wrongNumbers(body: GroupBody): ApiError[] {
  const tooSmall = LEAST.flatMap(([path, least, code]) =>
    mistakesAt(body, path, ({ target, value }) =>
      typeof value !== 'number' || value >= least
        ? undefined
        : containerErrors[code]({ value, at: target, least }, { target }),
    ),
  );
  const wrongPorts = (paths: readonly string[], fits: (port: number) => boolean): ApiError[] =>
    paths.flatMap((path) =>
      mistakesAt(body, path, ({ target, value }) =>
        typeof value !== 'number' || fits(value)
          ? undefined
          : containerErrors.InvalidPort({ value, reserved: RESERVED }, { target }),
      ),
    );
  return [
    ...tooSmall,
    ...wrongPorts(PORTS, (port) => isPort(port) && !isReserved(port)),
    ...wrongPorts(PROBED_PORTS, isPort),
  ];
}
