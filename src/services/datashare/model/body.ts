import { bodyFields, type Field, readBody, type VersionRules, type Wording } from '../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { dataShareErrors } from '../errors.ts';
import { KINDS, type Kind } from './kinds.ts';

export const { object, text, word, time, union } = bodyFields();

const LONGEST_PATH = 1024;
const LONGEST_PART = 255;
const CONTAINER_NAME = /^(?:(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*|\$root|\$web|\$logs)$/;
const ACCOUNT_NAME = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const invalid = (target: string, reason: string): ApiError =>
  dataShareErrors.InvalidProperty({ target, reason }, { target });

/** Messages of this provider for invalid bodies. */
const wording: Wording = (kind, { target }, { type, words = [], rule, max }) => {
  if (kind === 'missing') return invalid(target, 'it is required');
  if (kind === 'word') return invalid(target, `it must be one of ${words.join(', ')}`);
  if (kind === 'type') return invalid(target === '' ? 'body' : target, `it must be of the type ${type}`);
  return invalid(
    target,
    rule ?? (max === undefined ? 'it does not match the required format' : `it must be at most ${max}`),
  );
};

/** Validates a body. Throws the first mistake, with all mistakes as details. */
export function read<Value extends Draft, Draft>(
  field: Field<Value, Draft>,
  body: unknown,
  rules: VersionRules | undefined,
): Value {
  const reading = readBody(field, body ?? {}, { context: undefined, rules, wording });
  reading.mistakes.throwAny();
  return reading.value;
}

/** The rule that a path within a container violates; undefined if the path is valid. */
export function pathMistake(path: string): string | undefined {
  const parts = path.replace(/^\/+|\/+$/g, '').split('/');
  if (Buffer.byteLength(path) > LONGEST_PATH) return `it is longer than ${LONGEST_PATH} bytes`;
  if (parts.some((part) => part === '')) return 'it has an empty part between two slashes';
  if (parts.some((part) => part === '.' || part === '..')) return "it has a part that is '.' or '..'";
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_PART))
    return `it has a part of more than ${LONGEST_PART} bytes`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in it
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return 'it has a backslash or a control character';
  return undefined;
}

const path = text({
  required: true,
  check(value, at) {
    const reason = pathMistake(value);
    if (reason !== undefined) at.wrong(({ target }) => invalid(target, reason));
  },
});
const container = text({
  required: true,
  pattern: CONTAINER_NAME,
  rule: 'it must be 3 to 63 lower-case letters, digits and single hyphens between them',
});
const plain = text({
  required: true,
  pattern: /^[^\r\n]{1,1024}$/,
  rule: 'it must be 1 to 1,024 characters without line breaks',
});

/** Fields by property name; all other properties are plain text. */
const FIELDS: Readonly<Record<string, typeof plain>> = {
  containerName: container,
  fileSystem: container,
  filePath: path,
  prefix: path,
  folderPath: path,
  fileName: path,
  storageAccountName: text({
    required: true,
    pattern: ACCOUNT_NAME,
    rule: 'it must be 3 to 63 lower-case letters, digits and hyphens',
  }),
  subscriptionId: text({ required: true, pattern: GUID, rule: 'it must be a GUID' }),
};

const fieldsOf = (names: readonly string[]): Readonly<Record<string, typeof plain>> =>
  Object.fromEntries(names.map((name) => [name, FIELDS[name] ?? plain]));

const OUTPUT_TYPE = { outputType: word(['Csv', 'Parquet']) };
const DATA_SET_ID = { dataSetId: text({ required: true, pattern: GUID, rule: 'it must be a GUID' }) };

const kinds = Object.keys(KINDS) as Kind[];

/** Kinds are checked against the api-version by the body reader. */
export const DATA_SET_BODY = union(
  'kind',
  Object.fromEntries(
    kinds.map((kind) => [kind, { properties: object(fieldsOf(KINDS[kind].dataSet), { implied: true }) }]),
  ),
);

export const MAPPING_BODY = union(
  'kind',
  Object.fromEntries(
    kinds
      .filter((kind) => KINDS[kind].mapping.length > 0)
      .map((kind) => [
        kind,
        {
          properties: object({ ...DATA_SET_ID, ...fieldsOf(KINDS[kind].mapping), ...OUTPUT_TYPE }, { implied: true }),
        },
      ]),
  ),
);
