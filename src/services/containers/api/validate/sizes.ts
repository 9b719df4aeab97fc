import { gatewayErrors } from '../../../../kernel/arm/errors.ts';
import type { ApiError } from '../../../../kernel/http/errors.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';
import { mistakesAt } from './paths.ts';

/** How many entries a list may have. */
const MOST: readonly (readonly [
  path: string,
  most: number,
  code: 'TooManyInitContainers' | 'TooManyVolumes' | 'TooManyIpAddressPorts',
])[] = [
  ['properties.initContainers', 59, 'TooManyInitContainers'],
  ['properties.volumes', 20, 'TooManyVolumes'],
  ['properties.ipAddress?.ports', 5, 'TooManyIpAddressPorts'],
];

const MOST_CONTAINERS = 60;

export function tooMany(body: GroupBody): ApiError[] {
  const { containers = [], initContainers = [] } = body.properties ?? {};
  const count = containers.length + initContainers.length;
  const target = 'properties.containers';
  return [
    ...(count > MOST_CONTAINERS
      ? [containerErrors.TooManyContainers({ count, most: MOST_CONTAINERS }, { target })]
      : []),
    ...MOST.flatMap(([path, most, code]) =>
      mistakesAt(body, path, ({ target: at, value }) =>
        Array.isArray(value) && value.length > most
          ? containerErrors[code]({ count: value.length, at, most }, { target: at })
          : undefined,
      ),
    ),
  ];
}

/** Of any list or map: nobody has as many variables or files, and each is looked at by many rules. */
const MOST_ENTRIES = 1000;
/** Settings of extensions are of any shape, but not of any depth. */
const DEEPEST = 64;

/** What no program can be given: text with a zero character, which ends it for everything that is written in C; lists without end. */
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
