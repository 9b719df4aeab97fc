import { createHash } from 'node:crypto';
import { uuid } from '../../../../kernel/ids/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import type { ServedEntity } from '../collections.ts';
import { charactersIn, type Generation, type QueryRequest, requestTokens, tokensIn } from './request.ts';

/** Responses without a model, in the shape of the real responses: the value of a variable of the entity, otherwise the input. */

/** A variable of an entity: the prediction for every row, as JSON or text, or the generated text. */
export const PREDICTION = 'CLOUDJAR_PREDICTION';

/** Limit of a response: a long prediction for millions of rows would grow far beyond the size of the request. */
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;

export function variableOf({ fields }: Pick<ServedEntity, 'fields'>, name: string): string | undefined {
  const variables = fields.environment_vars;
  const value = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The name of the model in responses. */
export function modelName({ name, fields }: ServedEntity): string {
  const { external_model: model, entity_name: entity } = fields;
  return isObject(model) ? String(model.name) : String(entity ?? name);
}

export function simulatedAnswer(request: QueryRequest, entity: ServedEntity, now: number): JsonMembers {
  const said = variableOf(entity, PREDICTION);
  switch (request.kind) {
    case 'predict':
      return { predictions: predictionsFor(request.rows, said) as Json };
    case 'embedding':
      return embeddings(request.inputs, entity, requestTokens(request));
    case 'chat': {
      const asked = request.messages.findLast(({ role }) => role === 'user') ?? request.messages.at(-1);
      const made = generate(said ?? asked?.content ?? '', request);
      const choices = choicesOf([made], request.n, ({ text }) => ({ message: { role: 'assistant', content: text } }));
      return generated('chat.completion', `chatcmpl_${uuid()}`, request, [made], choices, entity, now);
    }
    case 'completion': {
      const made = request.prompts.map((prompt) => generate(said ?? prompt, request));
      const choices = choicesOf(made, request.n, ({ text }) => ({ text }));
      return generated('text_completion', `cmpl_${uuid()}`, request, made, choices, entity, now);
    }
  }
}

function predictionsFor(rows: readonly Json[], said: string | undefined): readonly Json[] {
  if (said === undefined) return rows;
  if (rows.length * (said.length + 1) > MOST_ANSWER_BYTES)
    throw errors.BAD_REQUEST({
      reason: `The answer would be larger than ${MOST_ANSWER_BYTES} bytes: send fewer rows.`,
    });
  const prediction = jsonOrText(said);
  return rows.map(() => prediction);
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

interface Generated {
  readonly text: string;
  readonly finish: 'stop' | 'length';
}

/** Truncates the text before the first stop word, and to the requested number of tokens. */
function generate(text: string, { stop, maxTokens }: Generation): Generated {
  const ends = stop.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  const whole = ends.length === 0 ? text : text.slice(0, Math.min(...ends));
  const most = charactersIn(maxTokens);
  return whole.length <= most
    ? { text: whole, finish: 'stop' }
    : { text: whole.slice(0, most).toWellFormed(), finish: 'length' };
}

const choicesOf = (
  made: readonly Generated[],
  n: number,
  part: (each: Generated) => JsonMembers,
): readonly JsonMembers[] =>
  made
    .flatMap((each) => Array.from({ length: n }, () => each))
    .map((each, index) => ({ index, ...part(each), finish_reason: each.finish }));

function generated(
  object: string,
  id: string,
  request: QueryRequest & Generation,
  made: readonly Generated[],
  choices: readonly JsonMembers[],
  entity: ServedEntity,
  now: number,
): JsonMembers {
  const prompt_tokens = requestTokens(request);
  const completion_tokens = made.reduce((sum, { text }) => sum + tokensIn(text.length), 0) * request.n;
  return {
    id,
    object,
    created: Math.floor(now / SECOND_MS),
    model: modelName(entity),
    choices: choices as Json,
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  };
}

/** Length of an embedding: short, so that tests can read it. */
const DIMENSIONS = 16;

function embeddings(inputs: readonly string[], entity: ServedEntity, tokens: number): JsonMembers {
  return {
    object: 'list',
    data: inputs.map((text, index) => ({ object: 'embedding', index, embedding: embeddingOf(text) })),
    model: modelName(entity),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** A unit vector: equal for equal texts, and almost always different for different texts. */
function embeddingOf(text: string): readonly number[] {
  const digest = createHash('sha256').update(text).digest();
  const numbers = Array.from({ length: DIMENSIONS }, (_, at) => digest.readInt16BE(at * 2) + 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map((each) => Number((each / length).toFixed(6)));
}
