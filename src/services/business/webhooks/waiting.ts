import type { DeliveryEnd } from '../../../kernel/delivery/index.ts';
import type { Jar } from '../../../kernel/jar-context.ts';

type Told = (end: DeliveryEnd) => void;

/** Who waits on this node for the end of which question. */
const waiting = new WeakMap<object, Map<string, Told>>();

function questionsOf({ store }: Pick<Jar, 'store'>): Map<string, Told> {
  let questions = waiting.get(store);
  if (!questions) {
    questions = new Map();
    waiting.set(store, questions);
  }
  return questions;
}

/** `told` is called when the question of this name has ended on this node, unless the function it gives is called before. */
export function awaitQuestion(jar: Pick<Jar, 'store'>, name: string, told: Told): () => void {
  const questions = questionsOf(jar);
  questions.set(name, told);
  return () => questions.delete(name);
}

export function endQuestion(jar: Pick<Jar, 'store'>, name: string, end: DeliveryEnd): void {
  questionsOf(jar).get(name)?.(end);
}
