import { isObject } from '../../../kernel/values/index.ts';
import { mistake } from '../api/fields.ts';
import { errors } from '../errors.ts';
import type { Extras } from '../messages/types.ts';

/** Open extensions: a client's own named properties on a message or event. */

type Values = Readonly<Record<string, unknown>>;
export type Extensions = NonNullable<Extras['extensions']>;

/** All extensions of an item together, as JSON. */
export const MOST_EXTENSION_BYTES = 64 * 1024;
export const MOST_EXTENSIONS = 100;
const PREFIX = 'microsoft.graph.openTypeExtension.';
const WRITTEN_PREFIX = /^(?:microsoft|vendor)\.(?:graph|outlookservices)\.opentypeextension\./i;
const TYPE = /^#?(?:microsoft|vendor)\.(?:graph|outlookservices)\.opentypeextension$/i;
const NAME = /^[A-Za-z][\w.-]{0,127}$/;
const PROPERTY = /^[A-Za-z_][\w-]{0,127}$/;

export interface Extension {
  readonly name: string;
  readonly values: Values;
}

export const extensionId = (name: string): string => `${PREFIX}${name}`;

/** The name, for any form of the id. */
export const extensionName = (idOrName: string): string => idOrName.replace(WRITTEN_PREFIX, '');

/** Finds an extension; its name matches case-insensitively. */
export function findExtension(extensions: Extensions = {}, idOrName: string): Extension | undefined {
  const wanted = extensionName(idOrName).toLowerCase();
  const found = Object.entries(extensions).find(([name]) => name.toLowerCase() === wanted);
  return found && { name: found[0], values: found[1] };
}

export const extensionView = ({ name, values }: Extension): Record<string, unknown> => ({
  '@odata.type': '#microsoft.graph.openTypeExtension',
  id: extensionId(name),
  extensionName: name,
  ...values,
});

/** Validates an extension. The name is required unless the path has it. */
export function readExtension(
  sent: unknown,
  at: string,
): { readonly name: string | undefined; readonly values: Values } {
  if (!isObject(sent)) throw mistake(at === '' ? 'body' : at, 'an object is expected');
  const within = (name: string): string => (at === '' ? name : `${at}/${name}`);
  let name: string | undefined;
  const values: Record<string, unknown> = {};
  for (const [written, value] of Object.entries(sent)) {
    if (/^@?odata\.type$/i.test(written)) checkType(value, within(written));
    else if (written.toLowerCase() === 'extensionname') name = readName(value, within(written));
    else if (!written.includes('@') && written.toLowerCase() !== 'id')
      values[checkedName(written, within(written))] = readValue(value, within(written));
  }
  return { name, values };
}

function checkType(value: unknown, at: string): void {
  if (typeof value !== 'string' || !TYPE.test(value))
    throw mistake(at, "'microsoft.graph.openTypeExtension' is the only supported type");
}

function readName(value: unknown, at: string): string {
  if (typeof value !== 'string' || !NAME.test(value))
    throw mistake(
      at,
      'a name must begin with a letter and have at most 128 letters, digits, dots, hyphens and underscores',
    );
  return value;
}

function checkedName(written: string, at: string): string {
  if (!PROPERTY.test(written) || written === '__proto__')
    throw mistake(at, 'a property must have a name of at most 128 letters, digits, hyphens and underscores');
  return written;
}

const isPrimitive = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';

function readValue(value: unknown, at: string): unknown {
  const isAllowed = value === null || isPrimitive(value) || (Array.isArray(value) && value.every(isPrimitive));
  if (!isAllowed) throw mistake(at, 'values must be strings, numbers, booleans, or arrays of them');
  return value;
}

/** Adds or changes an extension; null removes a property. */
export function withExtension(before: Extensions = {}, name: string, values: Values): Extensions {
  const known = findExtension(before, name);
  const kept = Object.fromEntries(
    Object.entries({ ...known?.values, ...values }).filter(([, value]) => value !== null),
  );
  const after = { ...before, [known?.name ?? name]: kept };
  if (Object.keys(after).length > MOST_EXTENSIONS)
    throw errors.ErrorInvalidRequest({ reason: `An item can have at most ${MOST_EXTENSIONS} extensions.` });
  if (Buffer.byteLength(JSON.stringify(after)) > MOST_EXTENSION_BYTES) {
    const reason = `The extensions of an item together can have at most ${MOST_EXTENSION_BYTES} bytes.`;
    throw errors.ErrorInvalidRequest({ reason }, { target: name });
  }
  return after;
}

/** Merges the extensions that are sent with an item: an existing one is changed as by a PATCH, others are added. */
export function mergeExtensions(before: Extensions | undefined, sent: readonly Values[], at: string): Extensions {
  let all: Extensions = before ?? {};
  const named = new Set<string>();
  for (const [index, each] of sent.entries()) {
    const place = `${at}[${index}]`;
    const { name, values } = readExtension(each, place);
    if (name === undefined) throw mistake(`${place}/extensionName`, 'it is required');
    if (named.has(name.toLowerCase()))
      throw errors.ErrorExtensionExists({ name }, { target: `${place}/extensionName` });
    named.add(name.toLowerCase());
    all = withExtension(all, name, values);
  }
  return all;
}
