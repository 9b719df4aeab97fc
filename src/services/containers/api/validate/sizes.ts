import { gatewayErrors } from '../../../../kernel/arm/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';

/** Init containers included. */
const MOST_CONTAINERS = 60;
const MOST_INIT_CONTAINERS = 59;
const MOST_VOLUMES = 20;
const MOST_IP_PORTS = 5;

export function tooMany({ properties = {} }: GroupBody): ApiError[] {
  const { containers = [], initContainers = [], volumes = [], ipAddress } = properties;
  const count = containers.length + initContainers.length;
  const target = 'properties.containers';
  return [
    ...(count > MOST_CONTAINERS
      ? [containerErrors.TooManyContainers({ count, most: MOST_CONTAINERS }, { target })]
      : []),
    ...atMost(MOST_INIT_CONTAINERS, initContainers, 'properties.initContainers', 'TooManyInitContainers'),
    ...atMost(MOST_VOLUMES, volumes, 'properties.volumes', 'TooManyVolumes'),
    ...atMost(MOST_IP_PORTS, ipAddress?.ports ?? [], 'properties.ipAddress.ports', 'TooManyIpAddressPorts'),
  ];
}

function atMost(
  most: number,
  { length: count }: readonly unknown[],
  at: string,
  code: 'TooManyInitContainers' | 'TooManyVolumes' | 'TooManyIpAddressPorts',
): ApiError[] {
  return count > most ? [containerErrors[code]({ count, at, most }, { target: at })] : [];
}

/** For any list or map. Real groups stay far below it, and many rules check each entry. */
export const MOST_ENTRIES = 1000;
/** Settings of extensions may have any shape, but not any depth. */
const DEEPEST = 64;

/** Errors for values that no program can receive: text with a NUL character, which ends strings in C, and lists that are too long. */
export function* impossibleValues(value: unknown, at = '', depth = 0): Generator<ApiError> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield containerErrors.InvalidText({ at }, { target: at });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const target = at === '' ? {} : { target: at };
  const entries = Object.entries(value);
  if (depth > DEEPEST) {
    yield gatewayErrors.InvalidRequestContent({ reason: `it is nested more than ${DEEPEST} deep.` }, target);
    return;
  }
  if (entries.length > MOST_ENTRIES) {
    yield containerErrors.TooManyEntries({ at, count: entries.length, most: MOST_ENTRIES }, target);
    return;
  }
  const list = Array.isArray(value);
  for (const [name, member] of entries) {
    if (name.includes('\0')) yield containerErrors.InvalidText({ at }, target);
    else yield* impossibleValues(member, list ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`, depth + 1);
  }
}
