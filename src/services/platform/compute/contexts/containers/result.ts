import { isObject, type Json, type JsonMembers } from '../../../../../kernel/values/index.ts';
import type { CommandResult } from '../../collections.ts';
import { DriverFault } from './ask-driver.ts';

const TYPES: readonly CommandResult['resultType'][] = ['text', 'table', 'image', 'images', 'error'];

const isJson = (value: unknown): value is Json =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) ? value.every(isJson) : isObject(value) && Object.values(value).every(isJson));

const isText = (value: unknown): value is string => typeof value === 'string';

/** Validates the result that a driver reports: user code may have changed the driver. */
export function resultOf(reply: Readonly<Record<string, unknown>>): CommandResult {
  const { data, schema, truncated, isJsonSchema, summary, cause, fileName, fileNames } = reply;
  const resultType = TYPES.find((type) => type === reply.resultType);
  if (!resultType) throw new DriverFault('the reply of the driver is not a result');
  return {
    resultType,
    ...(isJson(data) && { data }),
    ...(Array.isArray(schema) && {
      schema: schema.filter((each): each is JsonMembers => isObject(each) && isJson(each)),
    }),
    ...(truncated === true || resultType === 'table' ? { truncated: truncated === true } : {}),
    ...(isJsonSchema === true && { isJsonSchema }),
    ...(isText(summary) && { summary }),
    ...(isText(cause) && { cause }),
    ...(isText(fileName) && { fileName }),
    ...(Array.isArray(fileNames) && { fileNames: fileNames.filter(isText) }),
  };
}
