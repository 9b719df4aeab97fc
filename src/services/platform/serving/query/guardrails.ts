import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textsOf } from '../../engine/json.ts';
import { errors } from '../../errors.ts';
import type { ServingEndpoint } from '../collections.ts';
import type { QueryRequest } from './request.ts';

/** Words that the AI gateway lets through in neither direction. */

const keywordsOf = ({ aiGateway }: ServingEndpoint, direction: 'input' | 'output'): readonly string[] =>
  textsOf(membersOf(membersOf(aiGateway?.guardrails)[direction]).invalid_keywords);

function findKeyword(keywords: readonly string[], texts: readonly string[]): string | undefined {
  if (keywords.length === 0) return undefined;
  const whole = texts.join('\n').toLowerCase();
  return keywords.find((word) => whole.includes(word.toLowerCase()));
}

const blocked = (direction: 'input' | 'output', word: string) =>
  errors.BAD_REQUEST({
    reason: `The ${direction} guardrail of the endpoint was triggered by the keyword '${word.slice(0, 100)}'.`,
  });

export function checkInput(endpoint: ServingEndpoint, request: QueryRequest): void {
  const texts =
    request.kind === 'chat'
      ? request.messages.map(({ content }) => content)
      : request.kind === 'completion'
        ? request.prompts
        : [];
  const word = findKeyword(keywordsOf(endpoint, 'input'), texts);
  if (word !== undefined) throw blocked('input', word);
}

/** Of an answer that was generated here. */
export function checkOutput(endpoint: ServingEndpoint, answer: JsonMembers): void {
  const keywords = keywordsOf(endpoint, 'output');
  if (keywords.length === 0) return;
  const texts = listOf(answer.choices).flatMap((choice) => {
    const { message, text } = membersOf(choice);
    return textsOf([membersOf(message).content ?? '', text ?? ''] as Json);
  });
  const word = findKeyword(keywords, texts);
  if (word !== undefined) throw blocked('output', word);
}
