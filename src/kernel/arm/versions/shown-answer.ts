import type { Answer } from '../../http/route.ts';
import type { VersionView } from './view.ts';

/** Converts a handler's response to the caller's version. */
export function shownAnswer(
  answer: Promise<Answer> | Answer,
  view: VersionView,
  of: 'one' | 'list',
): Promise<Answer> | Answer {
  if (!view.isPartial) return answer;
  const show = (given: Answer): Answer =>
    given.body === undefined ? given : { ...given, body: view.show(given.body, of) };
  return answer instanceof Promise ? answer.then(show) : show(answer);
}
