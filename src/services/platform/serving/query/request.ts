import {
  isList,
  isObject,
  type Json,
  type JsonMembers,
  jsonMistake,
  parseJson,
} from '../../../../kernel/values/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors, malformedJson } from '../../errors.ts';

/** A parsed query of a served entity; the kind follows from its input. */
export type QueryRequest = { readonly body: JsonMembers; readonly bytes: Buffer } & (
  | { readonly kind: 'predict'; readonly rows: readonly Json[] }
  | ({ readonly kind: 'chat'; readonly messages: readonly Message[] } & Generation)
  | ({ readonly kind: 'completion'; readonly prompts: readonly string[] } & Generation)
  | { readonly kind: 'embedding'; readonly inputs: readonly string[] }
);

export interface Message {
  readonly role: string;
  readonly content: string;
}

export interface Generation {
  /** Number of alternatives to generate. */
  readonly n: number;
  readonly maxTokens: number;
  readonly stop: readonly string[];
  readonly stream: boolean;
}

/** Payloads of numbers have a value every few bytes. */
const BOUNDS = { depth: 100, names: 200_000, values: 2_000_000 };

/** Characters per token, a typical value for English text. */
const CHARACTERS_OF_TOKEN = 4;
/** The context window of the models that are served. */
const MOST_TOKENS = 131_072;
/** Limit and default of the number of generated tokens. */
const MOST_GENERATED_TOKENS = 4096;
const MOST_ALTERNATIVES = 16;
const MOST_PROMPTS = 128;
const MOST_MESSAGES = 10_000;
const MOST_EMBEDDED = 2048;
const MOST_STOPS = 16;
const MOST_NAME_CHARACTERS = 64 * 1024 * 1024;

export const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_OF_TOKEN);
export const charactersIn = (tokens: number): number => tokens * CHARACTERS_OF_TOKEN;

const FIELDS = ['dataframe_split', 'dataframe_records', 'instances', 'inputs', 'messages', 'prompt', 'input'] as const;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
const wrong = (reason: string) => errors.MALFORMED_REQUEST({ reason: `Could not parse request object: ${reason}.` });

/** Parses a JSON body. Throws if it is missing or not an object. */
export function readJsonBody(sent: unknown): { readonly body: JsonMembers; readonly bytes: Buffer } {
  const bytes = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
  let body: unknown;
  try {
    body = parseJson(bytes, BOUNDS);
  } catch (cause) {
    throw errors.MALFORMED_REQUEST({ reason: malformedJson(jsonMistake(cause)) }, { cause });
  }
  if (!isObject(body)) throw wrong('the body must be an object');
  return { body: body as JsonMembers, bytes };
}

/** `task` is the task of the endpoint, if it serves external models. */
export function readRequest({ body, bytes }: ReturnType<typeof readJsonBody>, task: string | undefined): QueryRequest {
  const given = FIELDS.filter((name) => Object.hasOwn(body, name) && body[name] !== undefined && body[name] !== null);
  const [field] = given;
  if (given.length !== 1 || field === undefined)
    throw invalid(`The input must be a JSON object with exactly one of the fields ${FIELDS.join(', ')}.`);
  const request = { ...inputOf(field, body), body, bytes } as QueryRequest;
  const expected = task === undefined ? undefined : INPUTS[task];
  if (expected !== undefined && expected !== request.kind)
    throw invalid(`The task ${task} of the endpoint takes the field '${FIELD_OF[expected]}', not '${field}'.`);
  return request;
}

const INPUTS: Readonly<Record<string, 'chat' | 'completion' | 'embedding'>> = {
  'llm/v1/chat': 'chat',
  'llm/v1/completions': 'completion',
  'llm/v1/embeddings': 'embedding',
};
const FIELD_OF = { chat: 'messages', completion: 'prompt', embedding: 'input' } as const;

function inputOf(field: (typeof FIELDS)[number], body: JsonMembers): object {
  const value = body[field];
  switch (field) {
    case 'messages':
      return { kind: 'chat', messages: messagesIn(value), ...generationIn(body) };
    case 'prompt':
      return { kind: 'completion', prompts: textsIn('prompt', value, MOST_PROMPTS), ...generationIn(body) };
    case 'input':
      return { kind: 'embedding', inputs: textsIn('input', value, MOST_EMBEDDED) };
    default:
      return { kind: 'predict', rows: rowsOf(field, value) };
  }
}

function rowsOf(
  field: 'dataframe_split' | 'dataframe_records' | 'instances' | 'inputs',
  value: Json | undefined,
): readonly Json[] {
  if (field === 'dataframe_split') return rowsOfSplit(value);
  if (field === 'inputs') return rowsOfInputs(value);
  if (!isList(value)) throw wrong(`the field '${field}' must be an array`);
  if (field === 'dataframe_records' && !value.every(isObject))
    throw wrong(`the field '${field}' must be an array of objects`);
  return value;
}

function rowsOfSplit(value: Json | undefined): readonly Json[] {
  if (!isObject(value)) throw wrong("the field 'dataframe_split' must be an object");
  const { columns, index, data } = value as JsonMembers;
  if (!isList(data) || !data.every(isList)) throw wrong("the field 'dataframe_split.data' must be an array of arrays");
  if (columns !== undefined && !isList(columns)) throw wrong("the field 'dataframe_split.columns' must be an array");
  if (index !== undefined && (!isList(index) || index.length !== data.length))
    throw invalid("The field 'dataframe_split.index' must have as many items as 'dataframe_split.data'.");
  if (!isList(columns)) return data;
  checkNames(columns.map(String), data.length);
  return data.map((row, at) => {
    const cells = isList(row) ? row : [];
    if (cells.length !== columns.length)
      throw invalid(`${columns.length} columns passed, row ${at} of the passed data had ${cells.length} columns.`);
    return Object.fromEntries(columns.map((column, place) => [String(column), cells[place] as Json]));
  });
}

/** Rows by name repeat the names of their columns: a long name and many rows would grow far beyond the size of the request. */
function checkNames(columns: readonly string[], rows: number): void {
  const characters = columns.reduce((sum, name) => sum + name.length, 0) * rows;
  if (characters > MOST_NAME_CHARACTERS)
    throw errors.BAD_REQUEST({
      reason: `The names of the columns, once for each row, are longer than ${MOST_NAME_CHARACTERS} characters.`,
    });
}

/** A list of rows, lists of columns by name, or one value. */
function rowsOfInputs(value: Json | undefined): readonly Json[] {
  if (isList(value)) return value;
  if (!isObject(value)) return [value as Json];
  const columns = Object.entries(value as JsonMembers);
  const [first] = columns;
  if (!first || !columns.every(([, list]) => isList(list as Json))) return [value as Json];
  const length = (first[1] as readonly Json[]).length;
  if (!columns.every(([, list]) => (list as readonly Json[]).length === length))
    throw invalid("All columns of the field 'inputs' must have the same length.");
  checkNames(
    columns.map(([name]) => name),
    length,
  );
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(columns.map(([name, list]) => [name, (list as readonly Json[])[at] as Json])),
  );
}

const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool', 'developer']);

function messagesIn(value: Json | undefined): readonly Message[] {
  if (!isList(value) || !value.every(isObject)) throw wrong("the field 'messages' must be an array of objects");
  if (value.length === 0 || value.length > MOST_MESSAGES)
    throw invalid(`The field 'messages' must have 1 to ${MOST_MESSAGES} items.`);
  const messages = (value as readonly JsonMembers[]).map(({ role, content }, at) => {
    if (typeof role !== 'string' || !ROLES.has(role))
      throw invalid(`The field 'messages[${at}].role' must be one of ${[...ROLES].join(', ')}.`);
    return { role, content: contentOf(content, at) };
  });
  checkLength(messages.reduce((sum, { content }) => sum + content.length, 0));
  return messages;
}

/** A text, or a list of parts of which only text parts are used. */
function contentOf(content: Json | undefined, at: number): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!isList(content)) throw wrong(`the field 'messages[${at}].content' must be a string or an array`);
  return content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
}

function textsIn(field: string, value: Json | undefined, most: number): readonly string[] {
  const texts = typeof value === 'string' ? [value] : value;
  if (!isList(texts) || !texts.every((each) => typeof each === 'string'))
    throw wrong(`the field '${field}' must be a string or an array of strings`);
  if (texts.length === 0 || texts.length > most) throw invalid(`The field '${field}' must have 1 to ${most} items.`);
  checkLength(texts.reduce((sum, text) => sum + text.length, 0));
  return texts;
}

function checkLength(characters: number): void {
  const tokens = tokensIn(characters);
  if (tokens > MOST_TOKENS)
    throw errors.BAD_REQUEST({ reason: `The input has ${tokens} tokens, more than the context of ${MOST_TOKENS}.` });
}

function generationIn(body: JsonMembers): Generation {
  const sent = new Sent(body);
  const n = sent.whole('n') ?? 1;
  if (n < 1 || n > MOST_ALTERNATIVES) throw invalid(`The field 'n' must be 1 to ${MOST_ALTERNATIVES}, not ${n}.`);
  const asked = sent.whole('max_tokens') ?? MOST_GENERATED_TOKENS;
  if (asked < 1) throw invalid(`The field 'max_tokens' must be at least 1, not ${asked}.`);
  const { temperature } = body;
  if (
    temperature !== undefined &&
    temperature !== null &&
    !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2)
  )
    throw invalid("The field 'temperature' must be a number from 0 to 2.");
  const stop = typeof body.stop === 'string' ? [body.stop] : (sent.texts('stop') ?? []);
  if (stop.length > MOST_STOPS) throw invalid(`The field 'stop' must have at most ${MOST_STOPS} items.`);
  return {
    n,
    maxTokens: Math.min(asked, MOST_GENERATED_TOKENS),
    stop: stop.filter((each) => each !== ''),
    stream: sent.flag('stream') ?? false,
  };
}

/** Number of tokens of the request. */
export function requestTokens(request: QueryRequest): number {
  if (request.kind === 'predict') return 0;
  const texts =
    request.kind === 'chat'
      ? request.messages.map(({ content }) => content)
      : request.kind === 'completion'
        ? request.prompts
        : request.inputs;
  return texts.reduce((sum, text) => sum + tokensIn(text.length), 0);
}
